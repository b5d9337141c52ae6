// check:
extern void reach_error(void);
static int shown(void) __attribute__((weakref("hidden")));
int main(void) {
    if (!shown) reach_error(); //~ UNKNOWN the address of `hidden`, which is weak and defined nowhere //~ never TRUE
    return 0;
}
