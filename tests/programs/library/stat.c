// check:
#include <sys/stat.h>
extern void reach_error(void);
int main(void) {
    struct stat s = {0};
    stat("/", &s);
    if (s.st_mode != 0) reach_error(); //~ never TRUE
    return 0;
}
