// check values: -DVALUES
// check zero: -DZERO
// check copy: -DCOPY
// check nan: -DNAN
// engines: sampling bounded
// What padding holds after a structure was given a value is not said, nor what sign a not-a-number has that was computed.
extern void reach_error(void);
extern void *memset(void *, int, unsigned long);
struct padded { char c; int i; };
int main(void) {
#ifdef NAN
    double zero = 0, value = zero / zero;
    int something = !__builtin_signbit(value);
#elif defined COPY
    struct padded from, p;
    memset(&from, 0, sizeof from);
    p = from;
    int something = ((unsigned char *)&p)[1] != 0;
#else
#ifdef VALUES
    struct padded p = {1, 2};
#else
    struct padded p = {0};
#endif
    int something = ((unsigned char *)&p)[1] != 0;
#endif
    if (something) reach_error(); //~ never TRUE //~[bounded] UNKNOWN a value that C does not specify //~[sampling] UNKNOWN none of 401 runs fails
    return 0;
}
