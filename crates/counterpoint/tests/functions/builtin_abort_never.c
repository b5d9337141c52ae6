// never reached, TRUE
extern void reach_error(void);
extern int nondet(void);

int main(void) {
    int x=nondet();
    if (x) __builtin_abort();
    if (x) reach_error();
    return 0;
}
