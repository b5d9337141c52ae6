// check:
void harmless(void) {}
void reach_error(void) __attribute__((alias("harmless")));
int main(void) {
    reach_error(); //~ FALSE
    return 0;
}
