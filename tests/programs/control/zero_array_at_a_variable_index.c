// check:
// engines: auto slam
extern void reach_error(void);
extern int nondet(void);
int zeros[10];
int main(void) { //~ TRUE
    int i = nondet();
    if (i < 0 || i >= 10)
        return 0;
    if (zeros[i])
        reach_error();
    return 0;
}
