// check:
extern void reach_error(void);
extern void *kmalloc(__SIZE_TYPE__, unsigned);
int main(void) {
    char *a = kmalloc(8, 0), *b = kmalloc(8, 0);
    if (!a || !b) return 0;
    a[4] = 1;
    b[0] = 2;
    if (a[4] != 1) reach_error(); //~ never FALSE
    return 0;
}
