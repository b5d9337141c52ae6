static int target(void) { return 4; }
int call_me(void) __attribute__((alias("target")));
int value = 2;
extern int other __attribute__((alias("value")));
