// check:
extern void reach_error(void);
int a[4], b;
int main(void) { //~ TRUE
    int n = 0;
    for (int *p = a; p != a + 4; p++)
        n++;
    int *q = &b;
    if (n != 4 || q != &b)
        reach_error();
    return 0;
}
