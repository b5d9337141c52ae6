// check:
// Reached with the input 7.
extern void reach_error(void);
extern int __isoc99_scanf(const char *, ...);
int main(void) {
    int n = 5;
    __isoc99_scanf("%d", &n);
    if (n == 7) reach_error(); //~ never TRUE
    return 0;
}
