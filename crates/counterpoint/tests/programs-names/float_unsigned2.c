extern void reach_error(void);
int main(void) {
    double d = 4294967296.0;
    unsigned u = (unsigned)d;
    if (u == 0) reach_error();
    return 0;
}
