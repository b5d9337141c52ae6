// check: --confirm
#include <assert.h>
#include <stdio.h>
#include <string.h>
int main(void) {
    char line[16];
    int on = 0;
    while (fgets(line, sizeof line, stdin)) {
        if (strcmp(line, "on\n") == 0)
            on++;
        else if (strncmp(line, "off", 3) == 0)
            on--;
        assert(on >= 0); //~ FALSE
    }
    return 0;
}
