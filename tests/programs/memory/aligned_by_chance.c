// check: --check alignment
// engines: bounded
// Whether an array of characters is at an address for an `int` is not said.
int main(void) {
    char text[8] = "seven..";
    return *(int *)text; //~ UNKNOWN where objects lie
    //~^ never TRUE
    //~^^ never FALSE
}
