// check: --64 --rule interrupts
extern void __disable_irq(void);
extern void __enable_irq(void);
extern int pending(void);
int main(void) { //~ TRUE
    int result = 0;
    __disable_irq();
    if (pending())
        result = 1;
    __enable_irq();
    return result;
}
