// check: --64 --rule interrupts
extern void taskENTER_CRITICAL(void);
extern void taskEXIT_CRITICAL(void);
extern int full(void);
int main(void) { //~ TRUE
    for (int i = 0; i < 3; i++) {
        taskENTER_CRITICAL();
        if (!full())
            i++;
        taskEXIT_CRITICAL();
    }
    return 0;
}
