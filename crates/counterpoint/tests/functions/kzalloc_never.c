// never reached, TRUE
extern void reach_error(void);

extern void*kzalloc(unsigned long,unsigned);
int main(void) {
    int*b=kzalloc(4,0);
    if (b) {
        if (*b!=0) reach_error();
    }
    return 0;
}
