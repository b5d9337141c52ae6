extern void reach_error(void);
extern int maybe(void) __attribute__((weak));
int (*hook)(void) = maybe;
int main(void) {
    if (!hook) reach_error();
    return 0;
}
