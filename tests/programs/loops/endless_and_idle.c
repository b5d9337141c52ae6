// check:
// engines: bounded
// A run that stops in a loop for ever comes to nothing.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static void stop(void) {
_EXIT:
    goto _EXIT;
}
int main(void) { //~ TRUE
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 5)
        stop();
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += i;
    if (sum > 10)
        reach_error();
    while (1)
        ;
}
