// check:
extern void reach_error(void);
int main(void) {
    _BitInt(5) x;
    x = (_BitInt(5))20;
    if (x == -12) reach_error(); //~ FALSE
    return 0;
}
