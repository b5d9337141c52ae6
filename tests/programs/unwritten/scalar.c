// check: --check uninitialised
extern int in(void);
int main(void) {
    int x;
    if (in() > 3) x = 1;
    return x + 1; //~ FALSE no-uninitialised-read: `x` is read, but nothing was written there before
}
