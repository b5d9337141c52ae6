// check high: -DHIGH --malloc-never-fails --assume-separate
// check low: --malloc-never-fails --assume-separate
// engines: bounded
// Whether an address is the code of an error decides what happens: nobody knows, unless it is among the lowest, where runs have no memory.
extern void reach_error(void);
extern void *malloc(unsigned long);
static long is_error(const void *pointer) {
#ifdef HIGH
    return (unsigned long)pointer > 0x0fffffffu;
#else
    return (unsigned long)pointer > 2012;
#endif
}
int main(void) {
    int *block = malloc(sizeof *block);
    if (is_error(block))
        reach_error(); //~ never TRUE //~[high] UNKNOWN where objects lie //~[high] never FALSE //~[low] FALSE
    return 0;
}
