int main(void) {
    return 0;
ERROR:
    return 1;
}
