// check: --error-label ERROR --confirm
// Only the label is the error: not the text, not the comment, not the member, not the conditional.
struct record { int ERROR; };
extern int __VERIFIER_nondet_int(void);
extern int puts(const char *);
int main(void) { /* ERROR: */
    int ERROR = 1;
    struct record record = { ERROR: 2 };
    puts("ERROR: none");
    if (__VERIFIER_nondet_int() ? ERROR : record.ERROR)
        goto ERROR;
    return 0;
ERROR: /* here */
    return 1; //~ FALSE unreach-label //~ note: confirmed by running the compiled program
}
