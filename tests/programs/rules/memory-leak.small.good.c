// check: --rule memory-leak
void *malloc(unsigned long); void free(void *); int __VERIFIER_nondet_int(void);
int main(void) { //~ TRUE
    int *p = malloc(8);
    if (__VERIFIER_nondet_int() == 5) { free(p); return 1; }
    free(p);
    return 0;
}
