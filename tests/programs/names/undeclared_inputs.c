// check types:
// check wide: -DWIDE
// check other: -DOTHER
// Without a declaration, the name of an input says what type it has.
extern void reach_error(void);
int main(void) { //~[types] TRUE
#if defined WIDE
    unsigned long long x = __VERIFIER_nondet_ulonglong();
    if (x == 0x123456789aULL)
        reach_error(); //~[wide] FALSE
#elif defined OTHER
    // Whoever defines it has the last word.
    if (__VERIFIER_nondet_bool() == 2)
        reach_error(); //~[other] FALSE
#else
    int b = __VERIFIER_nondet_bool(), c = __VERIFIER_nondet_uchar(), s = __VERIFIER_nondet_short();
    if (b < 0 || b > 1 || c < 0 || c > 255 || s > 32767)
        reach_error();
#endif
    return 0;
}
#ifdef OTHER
int __VERIFIER_nondet_bool(void) { return 2; }
#endif
