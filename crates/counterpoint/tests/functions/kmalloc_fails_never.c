// never reached, TRUE
extern void reach_error(void);

extern void*kmalloc(unsigned long,unsigned);
int main(void) {
    int*a=kmalloc(4,0);
    if (a&&a==0) reach_error();
    return 0;
}
