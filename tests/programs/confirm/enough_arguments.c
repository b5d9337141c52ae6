// check: --confirm
// Any number of arguments that is enough will do.
extern void reach_error(void);
int main(int argc, char **argv) {
    if (argc > 1 && argv[1][0] == 'x') reach_error(); //~ FALSE //~ note: confirmed by running the compiled program
    return 0;
}
