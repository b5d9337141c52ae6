// check:
// engines: bounded
// An inner activation is handed the variable of the outer one, and changes it.
extern void reach_error(void);
extern int nondet(void);
static int down(int depth, int *outer) {
    int mine = depth;
    if (outer)
        *outer += 1;
    if (depth > 0)
        down(depth - 1, &mine);
    return mine;
}
int main(void) {
    if (down(nondet() & 3, 0) == 4)
        reach_error(); //~ FALSE
    return 0;
}
