// check:
extern void reach_error(void);
int main(void) {
    register int x __asm__("ebx") = 4;
    if (x == 4) reach_error(); //~ FALSE
    return 0;
}
