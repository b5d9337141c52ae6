// check:
// check full: --full
// What does not lead to the error is left out, unless all is asked for.
extern int __VERIFIER_nondet_int(void);
void reach_error(void);
int used, unused;
static void set(int *to, int value) {
    *to = value; //~ trace: [*to = 1]
    unused = value; //~[full] trace: unused = 1
}
int main(void) {
    int x = __VERIFIER_nondet_int(); //~ trace: [x = 0 (input)] //~ input: 0
    int y = __VERIFIER_nondet_int(); //~ input: 5
    set(&unused, 3);
    if (unused > 2)
        unused++; //~[full] trace: unused++;   [unused = 4]
    if (y != 5)
        return 1;
    set(&used, x + 1);
    if (used == 1) //~ trace: [used == 1 with used = 1]
        reach_error(); //~ FALSE
    return 0;
}
