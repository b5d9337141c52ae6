// check:
#include <unistd.h>
extern void reach_error(void);
int main(int argc, char **argv) { optind = 0; getopt(argc, argv, "a"); if (optind != 0) reach_error(); //~ never TRUE
    return 0; }
