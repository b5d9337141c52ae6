// check: --malloc-never-fails --assume-separate
// Whether an address is the code of an error is asked in an expression, and the answer does not matter.
extern void reach_error(void);
extern void *malloc(unsigned long);
static long is_error(const void *pointer) {
    return (unsigned long)pointer > 0x0fffffffu;
}
static int is_low(const void *pointer) {
    int low = (unsigned long)pointer < 2013;
    return low;
}
static int locks;
int main(void) { //~ TRUE
    int *block = malloc(sizeof *block);
    locks++;
    if (is_error(block) || is_low(block))
        locks--;
    else
        locks--;
    if (locks)
        reach_error();
    return 0;
}
