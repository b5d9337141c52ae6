// check: --rule interrupts
void cli(void);
void sti(void);
unsigned long arch_local_irq_save(void);
void arch_local_irq_restore(unsigned long flags);

static void leaf(void) {
    unsigned long flags = arch_local_irq_save();
    arch_local_irq_restore(flags);
}

int main(void) { //~ TRUE
    unsigned long flags;
    cli();
    sti();
    flags = arch_local_irq_save();
    leaf();
    arch_local_irq_restore(flags);
    return 0;
}
