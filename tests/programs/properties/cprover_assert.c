// check:
int main(void) { int x = 1; __CPROVER_assert(x == 2, "x"); //~ FALSE
    return 0; }
