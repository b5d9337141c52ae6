// check:
// Others can name the variable, and so can the number be its address.
extern void reach_error(void);
extern unsigned long any(void);
int x;
int main(void) {
    if ((int *)any() == &x)
        reach_error(); //~ FALSE
    return 0;
}
