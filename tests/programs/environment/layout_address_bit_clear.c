// check:
extern void reach_error(void);
int main(void) {
    char c;
    unsigned long a = (unsigned long)&c;
    if (!(a & 1)) reach_error(); //~ never TRUE //~ never FALSE //~ UNKNOWN the answer may depend on where objects lie in memory
    return 0;
}
