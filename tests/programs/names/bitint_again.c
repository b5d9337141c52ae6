// check:
extern void reach_error(void);
int main(void) {
    unsigned _BitInt(5) x = 31;
    x = x + 1;
    if (x == 0) reach_error(); //~ FALSE
    return 0;
}
