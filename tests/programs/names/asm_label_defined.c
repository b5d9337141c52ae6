// check:
extern void reach_error(void);
int renamed(void) __asm__("target");
int renamed(void) { return 9;
    }
int target(void);
int main(void) {
    if (target() == 9) reach_error(); //~ FALSE
    return 0;
}
