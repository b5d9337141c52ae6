// check sum: -DSUM
// check counter: -DCOUNTER
// check sequence: -DSEQUENCE
// check local: -DLOCAL
// check list: -DLIST
// engines: bounded
// Where no operand writes what another looks at, or nothing hangs on it, one order is as good as another.
#include <stdlib.h>
extern void reach_error(void);
extern int nondet(void);
static int calls;
static int in(void) { int x = nondet(); return x & 7; }
static int counted(int x) { calls++; return x; }
static int next(void) { return ++calls; }
struct node { struct node *next; int value; };
static struct node *node(int value) {
    struct node *made = malloc(sizeof *made);
    if (!made) exit(1);
    made->next = 0;
    made->value = value;
    return made;
}
int main(void) {
#ifdef SUM
    if (in() + in() > 14) reach_error(); //~[sum] TRUE
#elif defined COUNTER
    if (counted(1) + counted(2) != 3) reach_error(); //~[counter] TRUE
#elif defined SEQUENCE
    if (next() != 1 || next() != 2) reach_error(); //~[sequence] TRUE
#elif defined LOCAL
    int x = 5;
    x = x + next();
    if (x != 6) reach_error(); //~[local] TRUE
#elif defined LIST
    struct node *list = node(1);
    list->next = node(2);
    if (list->value != 1 || list->next->value != 2) reach_error(); //~[list] TRUE
#endif
    return 0;
}
