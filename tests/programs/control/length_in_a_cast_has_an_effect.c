// check:
extern void reach_error(void);
int main(void) { //~ TRUE
    int n = 2;
    int (*p)[n++] = 0;
    char *q = (char *)(int (*)[n++])0;
    (void)(int (*)[n++])q;
    if (n != 5 || p)
        reach_error();
    return 0;
}
