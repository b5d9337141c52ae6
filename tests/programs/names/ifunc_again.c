// check:
extern void reach_error(void);
static int fast(void) { return 8;
    }
static int (*choose(void))(void) { return fast;
    }
int work(void) __attribute__((ifunc("choose"))); //~ UNKNOWN a function that is chosen when the program is loaded (ifunc)
int main(void) {
    if (work() == 8) reach_error(); //~ never TRUE
    return 0;
}
