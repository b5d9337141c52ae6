// check: --64 --rule file-stream
#include <stdio.h>
static int first(FILE *in) {
    int c = fgetc(in);
    return c == EOF ? -1 : c;
}
int main(void) { //~ TRUE
    int result = 0;
    FILE *in = fopen("in", "r");
    if (in == NULL)
        return 1;
    if (first(in) < 0)
        result = 2;
    fclose(in);
    return result;
}
