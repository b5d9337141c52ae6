// check: --64
// Without the header the result is an `int`, and an address does not fit.
extern void reach_error(void);
int main(void) {
    char *text = reallocarray(0, 2, 2); //~ UNKNOWN an address that is returned as a value of another size
    if (text) reach_error(); //~ never TRUE
    return 0;
}
