// reached, FALSE
extern void reach_error(void);

extern long __isoc23_strtol(const char*,char**,int);
int main(void) {
    char*e;
    char s[]="12x";
    long v=__isoc23_strtol(s,&e,10);
    if (v==12&&e==s+2) reach_error();
    return 0;
}
