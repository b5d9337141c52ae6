// check: --64 --rule interrupts
extern void noInterrupts(void);
extern void interrupts(void);
extern int pending(void);
static int take(void) {
    noInterrupts(); //~ FALSE interrupts
    int p = pending();
    interrupts();
    return p;
}
int main(void) {
    noInterrupts();
    while (take())
        ;
    interrupts();
    return 0;
}
