// check: --rule memory-leak --time-limit 1s --malloc-never-fails
// More than can be proved yet; that the list is freed takes its shape.
#include <stdlib.h>

struct node { struct node *next; };

int main(void) { //~ never FALSE
    struct node *list = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            break;
        node->next = list;
        list = node;
    }
    list = realloc(list, 400);
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
