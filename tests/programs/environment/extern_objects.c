// check:
extern void reach_error(void);
extern int *p;
extern int x;
int main(void) { x = 1; *p = 2; if (x == 2) reach_error(); //~ never TRUE
    return 0; }
