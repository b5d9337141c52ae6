void panic(void) {}
int main(void) {
    return 0;
}
