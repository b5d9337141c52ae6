// check: --check pointers
// engines: bounded
int main(void) {
    int *p = 0;
    {
        int inner = 1;
        p = &inner; //~ UNKNOWN the address of `inner`, which may be kept for longer than it lives, //~ never TRUE
    }
    return *p;
}
