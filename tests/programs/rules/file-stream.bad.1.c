// check: --64 --rule file-stream
#include <stdio.h>
int main(void) {
    FILE *f = fopen("settings", "r");
    if (!f)
        return 1;
    if (fgetc(f) == 'a')
        return 2; //~ FALSE file-stream
    fclose(f);
    return 0;
}
