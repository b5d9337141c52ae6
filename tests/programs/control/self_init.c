// check:
extern void reach_error(void);
int main(void) {
    int x = x;
    if (x == 5)
        reach_error(); //~ FALSE
    return 0;
}
