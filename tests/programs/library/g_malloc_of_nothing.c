// check null: -DNULL_FOR_NOTHING
// check some: -DSOME
// engines: bounded
// It gives null where no bytes are asked for, and only there.
extern void reach_error(void);
extern void *g_malloc(unsigned long);
extern void *g_malloc0(unsigned long);
extern unsigned nondet(void);
int main(void) {
#ifdef NULL_FOR_NOTHING
    if (!g_malloc(0)) reach_error(); //~[null] FALSE
#else
    unsigned n = nondet() & 7;
    char *block = g_malloc0(n);
    if (n && (!block || block[0])) reach_error(); //~[some] TRUE
    if (!n && block) reach_error();
#endif
    return 0;
}
