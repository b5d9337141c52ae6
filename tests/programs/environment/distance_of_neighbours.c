// check:
extern void reach_error(void);
int x, y;
int main(void) { //~ never TRUE //~ never FALSE //~ UNKNOWN depend on where objects lie
    if ((unsigned long)&y - (unsigned long)&x == sizeof x)
        reach_error();
    return 0;
}
