// check:
extern void reach_error(void);
int target(int x) { return x + 4;
    }
int call_me(int) __attribute__((alias("target")));
int main(void) {
    if (call_me == target && call_me(3) == 7) reach_error(); //~ FALSE
    return 0;
}
