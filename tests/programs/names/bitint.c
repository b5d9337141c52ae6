// check:
// gcc 14 has _BitInt.
extern void reach_error(void);
int main(void) { _BitInt(7) x = 63; x = x + 1; if (x == -64) reach_error(); //~ never TRUE
    return 0; }
