// check:
extern void reach_error(void);
int main(void) {
    double d = 1e10;
    int u = (int)d;
    if (u == -2147483647-1) reach_error(); //~ FALSE
    return 0;
}
