// check:
extern void reach_error(void);
struct s { int a : 3; int : 0; int b : 3; };
int main(void) { struct s s = {1, 2}; if (s.b == 2) reach_error(); //~ never TRUE
    return 0; }
