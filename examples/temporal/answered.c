// Every request is answered:
//
//     counterpoint check examples/temporal/answered.c --ltl 'G("pending" -> F "!pending")'
extern int __VERIFIER_nondet_int(void);

int pending;

int main(void)
{
    while (1) {
        int left = __VERIFIER_nondet_int();
        pending = 1;
        while (left > 0)
            left = left - 1;
        pending = 0;
    }
}
