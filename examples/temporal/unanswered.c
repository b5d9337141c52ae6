// A request that is answered only if the other side ever is ready:
//
//     counterpoint check examples/temporal/unanswered.c --ltl 'G("pending" -> F "!pending")'
extern int __VERIFIER_nondet_int(void);

int pending;

int main(void)
{
    while (1) {
        int left = __VERIFIER_nondet_int();
        pending = 1;
        while (left != 0)
            left = __VERIFIER_nondet_int();
        pending = 0;
    }
}
