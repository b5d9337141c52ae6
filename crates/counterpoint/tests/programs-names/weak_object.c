extern void reach_error(void);
extern int maybe __attribute__((weak));
int main(void) {
    if (&maybe == 0) reach_error();
    return 0;
}
