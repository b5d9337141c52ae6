// check trap: -DARGUMENTS= -DCHANGED=0 -DNAME=trap
// check unreachable: -DARGUMENTS= -DCHANGED=0 -DNAME=unreachable
// check parity: -DARGUMENTS=&x -DCHANGED=7 -DNAME=parity
// check prefetch: -DARGUMENTS=&x -DCHANGED=7 -DNAME=prefetch
// check inf: -DARGUMENTS=&x -DCHANGED=7 -DNAME=inf
// engines: slam auto
// Without `__builtin_` before them these are functions without a body like any other.
extern void reach_error(void);
extern void NAME();
int main(void) {
    int x = 0;
    NAME(ARGUMENTS);
    if (x == CHANGED)
        reach_error(); //~ FALSE
    return 0;
}
