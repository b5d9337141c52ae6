// never reached, TRUE
#include <time.h>
extern void reach_error(void);

int main(void) {
    struct{time_t t;int x;}s;
    s.x=1;
    time(&s.t);
    if (s.x!=1) reach_error();
    return 0;
}
