// check: --check pointers
// engines: bounded
int *kept;
static void keep(int *p) { kept = p; }
int main(void) {
    {
        int inner = 1;
        keep(&inner); //~ UNKNOWN the address of `inner`, which may be kept for longer than it lives, //~ never TRUE
    }
    return *kept;
}
