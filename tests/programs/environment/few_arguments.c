// check: --confirm
#include <assert.h>
#include <stdio.h>
int main(int argc, char **argv) {
    if (argc < 2)
        return 1;
    FILE *f = fopen(argv[1], "r");
    if (!f)
        return 1;
    assert(fgetc(f) != 'x'); //~ FALSE
    return 0;
}
