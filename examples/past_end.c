/* Takes the hash of a block apart into digits; the terminator has no room. */
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned hash = __VERIFIER_nondet_uint(), digits = 1;
    for (unsigned rest = hash / 16; rest != 0; rest /= 16)
        digits++;
    char *text = malloc(digits);
    if (text == NULL)
        return 1;
    for (unsigned i = digits; i > 0; i--, hash /= 16)
        text[i - 1] = "0123456789abcdef"[hash % 16];
    text[digits] = '\0';
    free(text);
    return 0;
}
