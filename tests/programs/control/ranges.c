// check:
// engines: states
// A level that is computed with has too many values to be told apart: in which range between the conditions it lies is enough.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int level = 70, mode = 1;
static void step(int input) {
    if (mode == 1 && level > 38 && level <= 218 && input == 1) {
        level = (level * 7 + 13) % 299 - 300 - input;
        mode = 2;
    } else if (mode == 2 && level <= -2 && input == 2) {
        level = (level * 13 - 7919) % 299993 - 300000;
    } else if (mode == 2 && level <= -2 && input == 3) {
        level = (level % 89 + 89) % 89 + 110;
        mode = 1;
    } else if (mode == 1 && level > 218) {
        mode = 3;
    }
}
int main(void) { //~ TRUE
    while (1) {
        int input = __VERIFIER_nondet_int();
        if (input != 1 && input != 2 && input != 3)
            return 0;
        step(input);
        if (mode == 3 || (mode == 2 && level >= -1))
            reach_error();
    }
}
