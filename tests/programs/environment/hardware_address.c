// check:
// An address in a variable is the one that is written as a literal (the run needs such hardware).
extern void reach_error(void);
int main(void) {
    unsigned long where = 0x40001000;
    volatile int *p = (volatile int *)where;
    *p = 1;
    *(int *)0x40001000 = 2;
    int x = *(int *)where;
    if (x == 2) reach_error(); //~ never TRUE
    return 0;
}
