// check: --check pointers
// engines: bounded
extern int *make(void);
int main(void) {
    int *made = make();
    return *made; //~ UNKNOWN pointers from outside //~ never FALSE //~ never TRUE
}
