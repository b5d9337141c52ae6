// check: --check bounds
int table[2][8];
int main(void) {
    int *end = &table[1][8], *start = &table[0][0];
    table[1][7] = 1;
    return start == end || table[0][8]; //~ FALSE no-index-out-of-bounds: index 8 is past the end of `table[0]`, which has 8 elements
}
