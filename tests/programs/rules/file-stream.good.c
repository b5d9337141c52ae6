// check: --rule file-stream
#include <stdio.h>
int __VERIFIER_nondet_int(void);
static char memory[2];
FILE *fopen(const char *name, const char *mode) {
    return name[0] == 'm' ? NULL : (FILE *)&memory[name[0] == 'b'];
}
int fclose(FILE *f) { return 0; }
int fputc(int c, FILE *f) { return c; }

static int copy(const char *from, const char *to) {
    FILE *in = fopen(from, "r");
    if (!in)
        return -1;
    FILE *out = fopen(to, "w");
    if (!out) {
        fclose(in);
        return -1;
    }
    fputc(1, out);
    fclose(out);
    fclose(in);
    return 0;
}

int main(void) { //~ TRUE
    FILE *again;
    fputc('x', stdout);
    copy("a", "b");
    copy("missing", "b");
    copy("b", "missing");
    again = fopen("a", "r");
    if (again)
        fclose(again);
    return 0;
}
