// check:
extern void reach_error(void);
int counter = 3;
extern int alias_of_counter __asm__("counter");
int main(void) {
    alias_of_counter = 7;
    if (counter == 7) reach_error(); //~ FALSE
    return 0;
}
