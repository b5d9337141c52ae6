// check: --undefined-goes-on
// engines: slam bounded
// What is called through a pointer of another type returns nothing, and the result is used: that may be anything.
extern void reach_error(void);
static int held;
static void release(void) {
    held = 0;
}
static int keep(void) {
    return 0;
}
int main(int argc, char **argv) {
    int (*ends)(void) = argc > 1 ? (int (*)(void))release : keep;
    held = 1;
    int result = ends();
    if (held && result == 0)
        held = 0;
    if (held && argc > 1) //~ never FALSE
        reach_error();
    return 0;
}
