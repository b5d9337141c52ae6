// check:
extern void reach_error(void);
extern unsigned long any(void);
int x;
int main(void) { //~ never TRUE //~ UNKNOWN depend on where objects lie
    if ((int *)any() == &x)
        reach_error();
    return 0;
}
