// check:
extern void reach_error(void);
int x;
int main(void) { //~ never TRUE //~ never FALSE //~ UNKNOWN depend on where objects lie
    if ((int *)0x10000 == &x)
        reach_error();
    return 0;
}
