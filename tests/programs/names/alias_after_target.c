// check:
extern void reach_error(void);
static int target(void) { return 4;
    }
int call_me(void) __attribute__((alias("target")));
int main(void) {
    if (call_me() == 4) reach_error(); //~ FALSE
    return 0;
}
