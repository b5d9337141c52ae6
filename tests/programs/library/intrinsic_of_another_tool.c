// check:
extern void reach_error(void);
void __ESBMC_init_object(void *);
int main(void) {
    int x = 0;
    __ESBMC_init_object(&x); //~ UNKNOWN a built-in function that is not known here
    if (x) reach_error(); //~ never TRUE
    //~^ never FALSE
    return 0;
}
