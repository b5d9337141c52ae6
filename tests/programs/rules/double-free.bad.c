// check: --rule double-free --confirm
#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void);

int main(void) {
    char *text = malloc(8), *copy;
    strcpy(text, "text");
    switch (__VERIFIER_nondet_int()) {
    case 0:
        copy = text;
        free(copy);
        free(text); //~ FALSE double-free: the memory is freed twice
        break;
    case 1:
        copy = realloc(text, 10000);
        free(text); //~ FALSE double-free: the memory is freed twice
        break;
    case 2:
        free(text);
        copy = realloc(text, 3); //~ FALSE double-free: the memory is reallocated after it was freed
        break;
    case 3:
        free(text);
        return strlen(text); //~ FALSE double-free: the memory is used after it was freed
    }
    return 0;
}
//~ note: confirmed by running the compiled program
