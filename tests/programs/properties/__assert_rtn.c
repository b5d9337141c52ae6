// check:
int main(void) { __assert_rtn("f", "f.c", 1, "x"); //~ FALSE
    return 0; }
