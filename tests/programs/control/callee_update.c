// check:
extern void reach_error(void);
int a[2] = {5, 0};
void f(void) { a[1] = 3; }
int main(void) { //~ TRUE
    f();
    if (a[0] != 5)
        reach_error();
    return 0;
}
