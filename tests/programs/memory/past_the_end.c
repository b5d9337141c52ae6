// check: --check pointers
// engines: bounded
#include <stdlib.h>
extern int nondet(void);
int main(void) {
    int n = nondet();
    if (n < 1 || n > 3)
        return 0;
    char *text = malloc(n);
    if (!text)
        return 0;
    for (int i = 0; i < n; i++)
        text[i] = 'x';
    text[n] = 0; //~ FALSE valid-deref
    free(text);
    return 0;
}
