// check: --ltl '(!entry send(_, 2)) W (exit connect(_) returns 0)' --no-explain
extern int __VERIFIER_nondet_int(void);
int connect(int to) { return to > 3 ? -1 : 0; }
void send(int what, int how) { (void)what; }
int main(void) { //~ TRUE
    send(0, 1);
    if (connect(__VERIFIER_nondet_int()) == 0)
        send(1, 2);
    return 0;
}
