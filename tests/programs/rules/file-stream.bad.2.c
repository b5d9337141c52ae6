// check: --64 --rule file-stream
#include <stdio.h>
static int copy_line(FILE *in, FILE *out) {
    int c = fgetc(in);
    if (c == EOF) {
        fclose(in);
        return -1;
    }
    fputc(c, out);
    return 0;
}
int main(void) {
    FILE *in = fopen("in", "r");
    if (in == NULL)
        return 1;
    int failed = copy_line(in, stdout);
    fclose(in); //~ FALSE file-stream
    return failed != 0;
}
