// check:
// x may hold anything; as in the other files about uninitialised memory.
extern void reach_error(void);
int main(void) { int x = x; if (x == 3) reach_error(); //~ FALSE
    return 0; }
