typedef struct FILE FILE;
FILE *fopen(const char *, const char *); int fclose(FILE *); int __VERIFIER_nondet_int(void);
int main(void) {
    FILE *f = fopen("a", "r");
    if (!f) return 1;
    fclose(f);
    return 0;
}
