// check:
extern void reach_error(void);
int main(void) {
    int a, b;
    if ((unsigned long)&a < (unsigned long)&b) reach_error(); //~ never TRUE //~ never FALSE //~ UNKNOWN the answer may depend on where objects lie in memory
    return 0;
}
