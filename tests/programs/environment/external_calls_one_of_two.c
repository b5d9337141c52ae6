// check: --confirm --64
// Of several functions it calls any, in any order.
extern void reach_error(void);
extern void pair(void (*)(void), void (*)(void));
static int state;
static void open(void) { state = state == 0 ? 1 : 9; }
static void close(void) { state = state == 1 ? 2 : 9; }
int main(void) {
    pair(open, close);
    if (state == 2)
        reach_error(); //~ FALSE //~ note: confirmed by running
    return 0;
}
