// check:
extern void reach_error(void);
static int x;
extern void keep(int *);
extern int *get(void);
int main(void) { keep(&x); int *p = get(); if (!p) return 0; x = 1; *p = 2; if (x == 2) reach_error(); //~ never TRUE
    return 0; }
