// check:
// The standard does not say that the strings are apart.
extern void reach_error(void);
int main(int argc, char **argv) { if (argc < 3) return 0; argv[1][0] = 1; argv[2][0] = 2; if (argv[1] == argv[2]) reach_error(); //~ never TRUE
    return 0; }
