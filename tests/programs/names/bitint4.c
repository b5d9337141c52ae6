// check:
extern void reach_error(void);
int main(void) {
    unsigned _BitInt(5) a = 31;
    unsigned char *p = (unsigned char *) &a;
    if (*p == 31) reach_error(); //~ FALSE
    a += 3;
     if (a == 2) reach_error();
    return 0;
}
