// check:
extern void reach_error(void);
static int shown(void) __attribute__((weakref("hidden")));
int hidden(void) { return 6;
    }
int main(void) {
    if (shown() == 6) reach_error(); //~ FALSE
    return 0;
}
