/* Insertion sort over inputs: whatever they are, the result is in order. */
#include <assert.h>
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

enum { SIZE = 6 };

static void sort(int *values, int count)
{
    for (int i = 1; i < count; i++) {
        int moving = values[i];
        int place = i;
        while (place > 0 && values[place - 1] > moving) {
            values[place] = values[place - 1];
            place--;
        }
        values[place] = moving;
    }
}

int main(void)
{
    int values[SIZE];
    for (int i = 0; i < SIZE; i++)
        values[i] = __VERIFIER_nondet_int();

    sort(values, SIZE);

    for (int i = 1; i < SIZE; i++)
        assert(values[i - 1] <= values[i]);
    for (int i = 0; i < SIZE; i++)
        printf("%d%c", values[i], i + 1 < SIZE ? ' ' : '\n');
    return 0;
}
