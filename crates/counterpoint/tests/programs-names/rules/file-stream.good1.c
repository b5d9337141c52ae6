#include <stdio.h>
int main(void) {
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
