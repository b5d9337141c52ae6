// check:
// However often it calls, and with whatever values, what holds after each call holds at the end.
extern void reach_error(void);
extern int each(int (*)(int));
static int most;
static int called(int value) {
    if (value <= 10 && value > most)
        most = value;
    return most;
}
int main(void) {
    each(called);
    if (most > 10 || most < 0)
        reach_error(); //~ TRUE
    return 0;
}
