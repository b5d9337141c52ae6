// check:
extern void reach_error(void);
int x __asm__("y") = 5;
extern int y;
int main(void) { if (y == 5) reach_error(); //~ never TRUE
    return 0; }
