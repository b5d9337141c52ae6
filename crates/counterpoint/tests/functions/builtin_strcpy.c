// reached, FALSE
extern void reach_error(void);

int main(void) {
    char a[4]="abc";
    __builtin_strcpy(a,"x");
    if (a[0]=='x') reach_error();
    return 0;
}
