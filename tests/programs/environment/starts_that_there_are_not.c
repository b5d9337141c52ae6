// check count: -DCOUNT
// check null: -DNULL_ARGUMENT
// check shared: -DSHARED
// check end: -DEND
// check own: -DOWN
// check environment: -DENVIRONMENT
// check vector: -DVECTOR
// No program is started like this; the C standard says so of most.
extern void reach_error(void);
int own;
int main(int argc, char **argv, char **environment) {
#if defined COUNT
    if (argc < 0) reach_error(); //~[count] never FALSE //~[count] UNKNOWN needs a start with -
#elif defined NULL_ARGUMENT
    if (argc == 2 && !argv[1]) reach_error(); //~[null] never FALSE //~[null] UNKNOWN needs a start with a null pointer for argument 1
#elif defined SHARED
    if (argc == 2 && argv[0] && argv[1] && argv[0] == argv[1]) reach_error(); //~[shared] never FALSE //~[shared] UNKNOWN needs a start with
#elif defined END
    if (argv[argc]) reach_error(); //~[end] never FALSE //~[end] UNKNOWN needs a start with
#elif defined OWN
    if (argc > 1 && argv[1] == (char *)&own) reach_error(); //~[own] never FALSE //~[own] UNKNOWN needs a start with
#elif defined ENVIRONMENT
    if (environment == argv) reach_error(); //~[environment] never FALSE //~[environment] UNKNOWN needs a start with
#elif defined VECTOR
    if (!argv) reach_error(); //~[vector] never FALSE //~[vector] UNKNOWN needs a start with a null pointer for `argv`
#endif
    return 0;
}
