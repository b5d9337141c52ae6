// check: --rule interrupts --confirm
int __VERIFIER_nondet_int(void);
void cli(void);
void sti(void);
unsigned long arch_local_irq_save(void);
void arch_local_irq_restore(unsigned long flags);
void exit(int);

int main(void) {
    unsigned long flags = 0;
    switch (__VERIFIER_nondet_int()) {
    case 0:
        cli();
        cli(); //~ FALSE interrupts: interrupts are disabled although they are disabled already
        break;
    case 1:
        flags = arch_local_irq_save();
        sti(); //~ FALSE interrupts: interrupts are enabled between saving and restoring them
        break;
    case 2:
        sti(); //~ FALSE interrupts: interrupts are enabled although they are enabled already
        break;
    case 3:
        arch_local_irq_restore(flags); //~ FALSE interrupts: interrupts are restored although they were not saved
        break;
    case 4:
        cli();
        exit(0); //~ FALSE interrupts: interrupts are still disabled when the program ends
    case 5:
        flags = arch_local_irq_save();
        break;
    }
    return 0; //~ FALSE interrupts: interrupts were saved and not restored when the program ends
}
//~ note: confirmed by running the compiled program
