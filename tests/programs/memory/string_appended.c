// check long: --check pointers -DLONG
// check short: --check assertions,pointers
// engines: bounded
#include <assert.h>
#include <string.h>
#ifdef LONG
#define WORD " world"
#else
#define WORD "!"
#endif
int main(void) { //~[short] TRUE
    char text[8] = "hello";
    strcat(text, WORD); //~[long] FALSE valid-deref: `strcat` writes past the end of `text`, which has 8 bytes
    strcat(text, "");
    assert(strchr(text, 'o') == text + 4);
    assert(strrchr(text, 'l') == text + 3);
    return 0;
}
