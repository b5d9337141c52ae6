// check panic: -DNAME=panic -DRESULT=void
// check error: -DNAME=error -DRESULT=void
// check err: -DNAME=err -DRESULT=void
// check warn: -DNAME=warn -DRESULT=void
// check index: -DNAME=index -DRESULT=int
// check clock: -DNAME=clock -DRESULT=int
// check y1: -DNAME=y1 -DRESULT=int
// check read: -DNAME=read -DRESULT=int
// check drand48: -DNAME=drand48 -DRESULT=double
// engines: slam auto
// Declared otherwise than the library's function of this name, it is one of the program's own.
extern void reach_error(void);
extern RESULT NAME(int *); //~ UNKNOWN declared otherwise
int main(void) {
    int x = 0;
    NAME(&x);
    if (x)
        reach_error(); //~ never TRUE
    return 0;
}
