// check members: -DMEMBERS
// check static: -DSTATIC
// check nan: -DNAN
// engines: sampling bounded
// Members have their values, static objects are zero all over, and a not-a-number is not equal to itself.
extern void reach_error(void);
struct padded { char c; int i; unsigned bits : 3; };
int main(void) {
#ifdef MEMBERS
    struct padded p = {1, 2, 3}, q = p;
    if (q.c != 1 || q.i != 2 || q.bits != 3) reach_error(); //~[members] TRUE
#elif defined STATIC
    static struct padded p;
    if (((unsigned char *)&p)[1] != 0) reach_error(); //~[static] TRUE
#else
    double zero = 0, value = zero / zero;
    if (value == value) reach_error(); //~[nan] TRUE
#endif
    return 0;
}
