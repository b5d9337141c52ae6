extern void reach_error(void);
int main(void) {
    __builtin_exit(1);
    reach_error();
    return 0;
}
