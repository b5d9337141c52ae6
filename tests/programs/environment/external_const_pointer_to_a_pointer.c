// check pointer: '-DPARAMETER=int *const *'
// check only_read: '-DPARAMETER=const int *const *'
// engines: slam auto
// That the first step is `const` says nothing of the second.
extern void reach_error(void);
extern void outside(PARAMETER);
int main(void) { //~[only_read] TRUE
    int x = 0, *pointer = &x;
    outside((PARAMETER)&pointer);
    if (x)
        reach_error(); //~[pointer] never TRUE
    return 0;
}
