// check:
#include <time.h>
extern void reach_error(void);
int main(void) {
    time_t t = 86400000;
    struct tm tm = {0};
    localtime_r(&t, &tm);
    if (tm.tm_year != 0) reach_error(); //~ never TRUE
    return 0;
}
