/* The least and the most of three inputs. */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int input1 = __VERIFIER_nondet_int();
    int input2 = __VERIFIER_nondet_int();
    int input3 = __VERIFIER_nondet_int();
    int least = input1;
    int most = input1;
    if (most < input2)
        most = input2;
    if (most < input3)
        most = input3;
    if (least > input2)
        least = input2;
    if (least > input3)
        least = input3;
    assert(least <= most);
    return 0;
}
