// check:
extern void reach_error(void);
int x, y;
// Nobody says how far from each other objects lie.
int main(void) { //~ never TRUE //~ never FALSE //~ UNKNOWN depend on where objects lie
    if ((unsigned long)&x + 20 < (unsigned long)&y)
        reach_error();
    return 0;
}
