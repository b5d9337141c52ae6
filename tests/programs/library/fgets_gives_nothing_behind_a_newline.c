// check:
#include <assert.h>
#include <stdio.h>
int main(void) {
    char line[16] = {0};
    if (fgets(line, sizeof line, stdin) && line[0] == '\n' && line[1] == 'x')
        assert(0); //~ never FALSE
    return 0;
}
