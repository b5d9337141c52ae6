// check: --check pointers
// engines: bounded
#include <stddef.h>
struct list { struct list *next; };
struct item { int value; struct list list; };
#define ITEM(at) ((struct item *)((char *)(at) - (size_t) & ((struct item *)0)->list))
int main(void) { //~ TRUE
    struct item last = {1, {0}}, first = {2, {&last.list}};
    struct list *at = &first.list;
    at = at->next;
    return ITEM(at)->value;
}
