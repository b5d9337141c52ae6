// check:
#include <assert.h>
#include <stdio.h>
int main(void) {
    char word[8] = "";
    if (scanf("%7s", word) == 1 && word[0] == ' ')
        assert(0); //~ never FALSE
    return 0;
}
