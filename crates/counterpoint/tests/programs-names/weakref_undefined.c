extern void reach_error(void);
static int shown(void) __attribute__((weakref("hidden")));
int main(void) {
    if (!shown) reach_error();
    return 0;
}
