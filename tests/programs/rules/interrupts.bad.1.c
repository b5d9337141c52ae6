// check: --64 --rule interrupts
extern void __disable_irq(void);
extern void __enable_irq(void);
extern int pending(void);
int main(void) {
    __disable_irq();
    if (pending())
        return 1; //~ FALSE interrupts
    __enable_irq();
    return 0;
}
