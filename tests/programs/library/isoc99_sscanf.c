// check:
extern void reach_error(void);
extern int __isoc99_sscanf(const char *, const char *, ...);
int main(void) {
    int n = 5;
    __isoc99_sscanf("7", "%d", &n);
    if (n == 7) reach_error(); //~ never TRUE
    return 0;
}
