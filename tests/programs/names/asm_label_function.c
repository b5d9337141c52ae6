// check:
extern void reach_error(void);
int real(void) { return 5;
    }
int other(void) __asm__("real");
int main(void) {
    if (other() == 5) reach_error(); //~ FALSE
    return 0;
}
