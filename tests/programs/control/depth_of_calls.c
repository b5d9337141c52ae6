// check:
// engines: states
// Each activation has values of its own, and what was handed back is where it belongs.
extern void reach_error(void);
static int depth(int n) {
    int below;
    if (n == 0)
        return 0;
    below = depth(n - 1);
    return below + 1;
}
int main(int argc, char **argv) { //~ TRUE
    int twice = depth(7);
    if (argc > 2)
        twice = depth(3) + depth(4);
    if (twice != 7)
        reach_error();
    return 0;
}
