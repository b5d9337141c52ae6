// engines: states
// check:
// What is known of a word without a sign bounds it as well: no byte is below zero, and nothing is above the largest number.
extern void reach_error(void);
extern int nondet(void);
static unsigned all = -1;
int main(void) {
    unsigned char byte = nondet() * 255;
    unsigned any = nondet();
    int none = -(byte * 0);
    _Bool truth = (any <= all) + all;
    if (byte + none == -1 || truth) reach_error(); //~ TRUE
    return 0;
}
