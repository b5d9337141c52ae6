// check:
#include <time.h>
extern void reach_error(void);
int main(void) {
    struct tm tm = {0};
    char a[8] = {0};
    strftime(a, 8, "%Y", &tm);
    if (a[0] != 0) reach_error(); //~ never TRUE
    return 0;
}
