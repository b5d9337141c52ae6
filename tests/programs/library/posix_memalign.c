// check:
extern void reach_error(void);
extern int posix_memalign(void **, __SIZE_TYPE__, __SIZE_TYPE__);
int main(void) {
    void *p = 0;
    posix_memalign(&p, 16, 16);
    if (p != 0) reach_error(); //~ never TRUE
    return 0;
}
