/* The heap: build, reverse and free a list, many times. */
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    long sum = 0;
    for (int round = 0; round < 300; round++) {
        struct node *list = NULL, *reversed = NULL;
        for (int i = 0; i < 3000; i++) {
            struct node *node = malloc(sizeof *node);
            if (node == NULL)
                return 2;
            node->next = list;
            node->value = i;
            list = node;
        }
        while (list != NULL) {
            struct node *next = list->next;
            list->next = reversed;
            reversed = list;
            list = next;
        }
        while (reversed != NULL) {
            struct node *next = reversed->next;
            sum += reversed->value;
            free(reversed);
            reversed = next;
        }
    }
    return sum != 300L * 3000 * 2999 / 2;
}
