// check KEPT: --64 -DKEPT
// check AT_ONCE: --64 -DAT_ONCE
// check STORED: --64 -DSTORED
// Whether the address of a function fits into half a word is for the linker to say.
extern void reach_error(void);
static void f(void) {}
unsigned half;
struct { int tag; unsigned half; } record;

int main(void) { //~ UNKNOWN where objects lie in memory
#if defined KEPT
    half = (unsigned)(unsigned long)f;
    if ((void *)(unsigned long)half != (void *)f) reach_error(); //~ never TRUE
#elif defined AT_ONCE
    if ((void (*)(void))(unsigned long)(unsigned)(unsigned long)f != f) reach_error(); //~ never TRUE
#else
    record.half = (unsigned)(unsigned long)main;
    unsigned again = record.half;
    void *p = (void *)(unsigned long)again;
    if (p != (void *)main) reach_error(); //~ never TRUE
#endif
    return 0;
}
