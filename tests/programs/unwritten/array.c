// check: --check uninitialised --external pure
// engines: induction
extern int in(void);
int main(void) { //~ TRUE
    int a[1000], s = 0;
    for (int i = 0; i < 1000; i++) a[i] = in();
    for (int i = 0; i < 1000; i++) s ^= a[i];
    return s;
}
