/* Counts letters; what is not one has no place. */
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    int counts[26] = {0};
    for (int i = 0; i < 3; i++) {
        char letter = __VERIFIER_nondet_char();
        if (letter >= 'a' && letter <= '{')
            counts[letter - 'a']++;
    }
    return counts[0];
}
