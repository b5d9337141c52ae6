/* The midpoint of a range as it stood in many books: the sum overflows when the range lies high. */
#include <stdio.h>

static int midpoint(int low, int high)
{
    return (low + high) / 2;
}

int main(void)
{
    printf("%d\n", midpoint(0, 1000));
    printf("%d\n", midpoint(1500000000, 1600000000));
    return 0;
}
