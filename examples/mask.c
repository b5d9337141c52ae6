/* The mask of a field of bits: one of 32 bits has none. */
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned first = __VERIFIER_nondet_uint(), width = __VERIFIER_nondet_uint();
    if (first > 31 || width > 32 - first)
        return 1;
    unsigned mask = ((1u << width) - 1) << first;
    return mask == 0 && width != 0;
}
