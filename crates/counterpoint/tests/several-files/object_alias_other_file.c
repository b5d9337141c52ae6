int value = 2;
extern int other __attribute__((alias("value")));
void set(void) { value = 9; }
