// check:
extern void reach_error(void);
int call_me(void);
int use(void) { return call_me();
    }
static int target(void) { return 4;
    }
int call_me(void) __attribute__((alias("target")));
int main(void) {
    if (use() == 4) reach_error(); //~ FALSE
    return 0;
}
