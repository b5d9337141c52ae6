// check: --malloc-never-fails
// What is allocated later is not known before.
#include <stdlib.h>
extern void reach_error(void);
extern char *get(void);
int main(void) {
    char *given = get(), *block = malloc(4);
    if (given == block) reach_error(); //~ never TRUE
    //~^^ UNKNOWN needs the address of memory before that is allocated, at
    return 0; //~^^ never FALSE
}
