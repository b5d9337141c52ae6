// check:
// engines: states
// The only condition on the level is at 40. What keeps it above that is how far it was above before: ranges that no condition names.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int level = 1000, turns, phase;
int main(void) { //~ TRUE
    while (1) {
        int input = __VERIFIER_nondet_int();
        if (input == 1 && phase == 0) {
            level = (level * 31 + turns * 17) % 90001 + 500;
            turns = (turns + 7) % 1009;
        } else if (input == 2 && phase != 2) {
            level = level / 3;
            phase++;
        } else if (input == 3 && phase == 2) {
            level = level * 8 + 100;
            phase = 0;
        }
        if (level <= 40)
            reach_error();
    }
}
