// check:
#include <stdlib.h>
extern void reach_error(void);
int *make(int value) { int *made = malloc(4); *made = value; return made; }
int main(void) {
    int *first = make(1), *second = make(2);
    if (first == second) reach_error(); //~ TRUE
    return 0;
}
