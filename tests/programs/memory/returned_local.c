// check: --check pointers
// engines: bounded
static int *counter(void) {
    int count = 0;
    int *p = &count;
    return p;
}
int main(void) {
    return *counter(); //~ FALSE valid-deref
}
