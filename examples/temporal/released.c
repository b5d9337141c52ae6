// A lock that is always given back:
//
//     counterpoint check examples/temporal/released.c --ltl 'G("held" -> F "!held")'
extern int __VERIFIER_nondet_int(void);

int held;

static void serve(int request)
{
    held = 1;
    if (request < 0) {
        held = 0;
        return;
    }
    held = 0;
}

int main(void)
{
    int requests = __VERIFIER_nondet_int();
    while (requests > 0) {
        serve(__VERIFIER_nondet_int());
        requests = requests - 1;
    }
    return 0;
}
