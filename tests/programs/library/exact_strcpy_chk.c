// check:
extern void reach_error(void);
int main(void) {
    char a[4] = "zz";
    __builtin___strcpy_chk(a, "x", 4);
    if (a[0] != 'x') reach_error(); //~ never FALSE
    return 0;
}
