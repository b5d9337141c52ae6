// check:
extern void reach_error(void);
extern void swab(const void *, void *, long);
int main(void) {
    char a[2] = "ab", b[2] = "xx";
    swab(a, b, 2);
    if (b[0] == 'b') reach_error(); //~ never TRUE
    return 0;
}
