// check: --check uninitialised
extern int in(void);
int main(void) { //~ TRUE
    int x, c = in();
    if (c > 3) x = 1;
    if (c > 4) return x + 1;
    return 0;
}
