// check erand48: -DNEXT=erand48 -DRESULT=double
// check nrand48: -DNEXT=nrand48 -DRESULT=long
// check jrand48: -DNEXT=jrand48 -DRESULT=long
// engines: slam auto
// The state is the caller's, and each call changes it.
extern void reach_error(void);
RESULT NEXT(unsigned short state[3]);
int main(void) {
    unsigned short state[3] = {1, 2, 3};
    NEXT(state); //~ UNKNOWN 48
    if (state[0] != 1)
        reach_error(); //~ never TRUE
    return 0;
}
