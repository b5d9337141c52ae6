// check: --check pointers
// engines: bounded
struct node { struct node *next; int value; };
extern int nondet(void);
int main(void) {
    struct node last = {0, 1}, first = {&last, 2};
    struct node *at = &first;
    if (nondet())
        at = at->next;
    at = at->next;
    return at->value; //~ FALSE valid-deref: `at->value` is not in memory that can be accessed: null, freed, or past the end of an object
}
