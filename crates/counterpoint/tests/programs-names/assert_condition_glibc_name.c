extern void __assert(int condition);
int main(void) {
    int x = 1;
    __assert(x == 1);
    __assert(x == 2);
    return 0;
}
