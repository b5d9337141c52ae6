// check: --64 --rule interrupts
extern void noInterrupts(void);
extern void interrupts(void);
extern int pending(void);
static int take(void) {
    noInterrupts();
    int p = pending();
    interrupts();
    return p;
}
int main(void) { //~ TRUE
    while (take())
        ;
    return 0;
}
