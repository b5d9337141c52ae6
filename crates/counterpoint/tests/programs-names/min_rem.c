extern void reach_error(void);
int main(void) {
    int a = -2147483647 - 1, b = -1;
    int c = a % b;
    if (c == 0) reach_error();
    return 0;
}
