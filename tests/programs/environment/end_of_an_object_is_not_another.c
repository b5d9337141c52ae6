// check:
extern void reach_error(void);
int a[4], b;
int main(void) { //~ never TRUE //~ never FALSE //~ UNKNOWN depend on where objects lie
    int *end = a + 4;
    if (end != &b)
        reach_error();
    return 0;
}
