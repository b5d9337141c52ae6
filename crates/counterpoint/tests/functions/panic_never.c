// never reached, TRUE
extern void reach_error(void);
extern int nondet(void);

extern void panic(const char*,...);
int main(void) {
    int x=nondet();
    if (x==7) panic("no");
    if (x==7) reach_error();
    return 0;
}
