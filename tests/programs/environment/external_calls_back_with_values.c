// check: --confirm --64
// It may write what it is given before it calls, and passes what it likes.
extern void reach_error(void);
extern int each(int (*)(int), int *);
static int seen;
static int called(int value) {
    if (seen == 5 && value == 9)
        reach_error(); //~ FALSE //~ note: confirmed by running
    return 0;
}
int main(void) {
    int (*how)(int) = called;
    each(how, &seen);
    return 0;
}
