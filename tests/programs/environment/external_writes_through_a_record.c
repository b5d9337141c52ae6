// check struct: -DKIND=struct
// check union: -DKIND=union
// engines: slam auto
// A pointer that is handed over inside a record is handed over.
extern void reach_error(void);
KIND holder { int *pointer; };
extern void outside(KIND holder);
int main(void) {
    int x = 0;
    KIND holder holder = {&x};
    outside(holder); //~ UNKNOWN outside
    if (x)
        reach_error(); //~ never TRUE
    return 0;
}
