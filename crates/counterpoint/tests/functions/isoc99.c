// reached, FALSE
extern void reach_error(void);

extern int __isoc99_sscanf(const char*,const char*,...);
int main(void) {
    int x=1;
    __isoc99_sscanf("5","%d",&x);
    if (x==5) reach_error();
    return 0;
}
