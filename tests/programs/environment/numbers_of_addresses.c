// check product: -DPRODUCT
// check remainder: -DREMAINDER
// check bits: -DBITS
// check distance: -DDISTANCE
// check page: -DPAGE
// check number: -DNUMBER
// check kept: -DKEPT
// check branch: -DBRANCH
// C does not say which numbers addresses are.
extern void reach_error(void);
extern unsigned long nondet(void);
typedef unsigned long number;
char a[4], b[4];
int x, y;
int main(void) {
    number kept = (number)&a % 8;
#if defined PRODUCT
    if (nondet() * 8 - (number)&a == (number)&b)
#elif defined REMAINDER
    if ((number)&b % 8 == 3)
#elif defined BITS
    if (((number)&x ^ (number)&y) == 12)
#elif defined DISTANCE
    if ((number)&x - (number)&y == 24)
#elif defined PAGE
    if ((number)&x >> 12 == 0x7f123)
#elif defined NUMBER
    if ((number)&x == 0x7f123450)
#elif defined KEPT
    if (kept == 3)
#elif defined BRANCH
    if (!(((number)&a >> 1) & 1) && ((number)&a >> 2 & 1))
#endif
        reach_error(); //~ never TRUE
    return 0;
}
