// check: --64 --rule file-stream
#include <stdio.h>
int main(void) { //~ TRUE
    FILE *f = fopen("settings", "r");
    if (!f)
        return 1;
    if (fgetc(f) == 'a') {
        fclose(f);
        return 2;
    }
    fclose(f);
    return 0;
}
