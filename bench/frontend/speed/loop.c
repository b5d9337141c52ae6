/* Arithmetic on local variables: a linear congruential generator and a count of its even values. */
int main(void)
{
    unsigned state = 1, even = 0;
    for (unsigned i = 0; i < 20000000; i++) {
        state = state * 1664525u + 1013904223u;
        if ((state >> 16) % 2 == 0)
            even++;
    }
    return even == 0;
}
