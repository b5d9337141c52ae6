// check:
// engines: states
// A controller that keeps what it does next in three variables; a counter that nothing depends on is not followed for ever.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int state = 4, armed, open_door = 1;
static unsigned rounds;
static int step(int input) {
    if (state == 4 && input == 1 && open_door) { open_door = 0; return 21; }
    if (state == 4 && input == 2 && !open_door) { state = 5; armed = 1; return 22; }
    if (state == 5 && input == 3) { state = 6; return 23; }
    if ((state == 5 || state == 6) && input == 4) { state = 4; armed = 0; open_door = 1; return 24; }
    return -2;
}
int main(void) { //~ TRUE
    while (1) {
        int input = __VERIFIER_nondet_int();
        if (input != 1 && input != 2 && input != 3 && input != 4)
            return -2;
        rounds++;
        step(input);
        if (state == 6 && (!armed || open_door))
            reach_error();
    }
}
