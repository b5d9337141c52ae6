// check:
int main(void) { __assert("x", "f.c", 1); //~ FALSE
    return 0; }
