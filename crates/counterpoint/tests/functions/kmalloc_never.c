// never reached, TRUE
extern void reach_error(void);

extern void*kmalloc(unsigned long,unsigned);
extern void*kzalloc(unsigned long,unsigned);
int main(void) {
    int*a=kmalloc(4,0),*b=kzalloc(4,0);
    if (a&&b) {
        *a=1;
        *b=2;
        if (*a!=1||a==b) reach_error();
    }
    return 0;
}
