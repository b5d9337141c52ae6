/* A list is built and torn down; where the second element cannot be had, the first one is forgotten. */
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static struct node *two(void)
{
    struct node *first = malloc(sizeof *first);
    if (first == NULL)
        return NULL;
    struct node *second = malloc(sizeof *second);
    if (second == NULL)
        return NULL;
    first->next = second;
    second->next = NULL;
    return first;
}

int main(void)
{
    struct node *list = two();
    while (list != NULL) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
