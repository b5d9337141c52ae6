// check:
// What never runs asks nothing about addresses.
extern void reach_error(void);
int never(char *p) { return ((unsigned long)p & 4096) != 0; }

int main(void) { //~ TRUE
    int a[2] = {1, 2};
    int *p = a;
    if (p[1] != 2 || &a[0] == &a[1])
        reach_error();
    return 0;
}
