/* A cache hands out what it keeps; a call in between lets it go. */
#include <stdio.h>
#include <stdlib.h>

struct entry {
    int key;
    int value;
};

static struct entry *cached;

static struct entry *look_up(int key)
{
    if (cached != NULL && cached->key == key)
        return cached;
    free(cached);
    cached = malloc(sizeof *cached);
    if (cached == NULL)
        exit(1);
    cached->key = key;
    cached->value = key * key;
    return cached;
}

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    struct entry *first = look_up(3);
    struct entry *second = look_up(__VERIFIER_nondet_int() & 15);
    printf("%d\n", first->value + second->value);
    free(cached);
    return 0;
}
