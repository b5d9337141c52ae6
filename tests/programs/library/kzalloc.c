// check:
extern void reach_error(void);
extern void *kzalloc(__SIZE_TYPE__, unsigned);
int main(void) {
    int *a = kzalloc(4, 0), *b = kzalloc(4, 0);
    if (!a || !b) return 0;
    *a = 1; *b = 2;
    if (*a != 1) reach_error(); //~ never FALSE
    return 0;
}
