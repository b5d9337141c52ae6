extern void reach_error(void);
int main(void) {
    int x = x;
    if (x != x)
        reach_error();
    return 0;
}
