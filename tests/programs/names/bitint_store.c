// check:
extern void reach_error(void);
int main(void) { struct { _BitInt(5) a; int b; } s = {0, 7}; s.a = 3; if (s.a == 3 && s.b == 7) reach_error(); //~ never TRUE
    return 0; }
