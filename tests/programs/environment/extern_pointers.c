// check:
extern void reach_error(void);
extern int *p, *q;
int main(void) { *p = 1; *q = 2; if (*p == 2) reach_error(); //~ never TRUE
    return 0; }
