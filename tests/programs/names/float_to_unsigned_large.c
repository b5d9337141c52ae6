// check:
// Undefined: treated alike by run and check.
extern void reach_error(void);
int main(void) { float f = 1e20f; unsigned u = (unsigned)f; if (u != 0) reach_error(); //~ never FALSE
    return 0; }
