// check: --rule memory-leak --confirm
#include <stdlib.h>
int __VERIFIER_nondet_int(void);

static char *buffer;

int main(void) {
    buffer = malloc(8);
    switch (__VERIFIER_nondet_int()) {
    case 0:
        buffer = malloc(16);
        free(buffer);
        return 0; //~ FALSE memory-leak: memory is still allocated when the program ends
    case 1:
        exit(1); //~ FALSE memory-leak: memory is still allocated when the program ends
    case 2:
        buffer = realloc(buffer, 10000);
        return 0; //~ FALSE memory-leak: memory is still allocated when the program ends
    case 3:
        calloc(1, 1);
        break;
    }
    free(buffer);
    return 0; //~ FALSE memory-leak: memory is still allocated when the program ends
}
//~ note: confirmed by running the compiled program
