extern void reach_error(void);
int main(void) {
    double d = -1.0;
    unsigned u = (unsigned)d;
    if (u == 0xffffffffu) reach_error();
    return 0;
}
