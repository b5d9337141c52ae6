// check proved: -DHOLDS=list->value==3
// check wrong: -DHOLDS=list->next==NULL||list->next->value!=3
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };
int main(void) {
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *new = malloc(sizeof *new);
        if (new == NULL) break;
        new->value = 3;
        new->next = list;
        list = new;
    }
    if (list != NULL) assert(HOLDS); //~[proved] TRUE //~[wrong] FALSE
    return 0;
}
