// check:
extern void reach_error(void);
int main(void) { //~ TRUE
    int x = x;
    if (x != x)
        reach_error();
    return 0;
}
