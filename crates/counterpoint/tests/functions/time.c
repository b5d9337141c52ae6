// reached, FALSE
#include <time.h>
extern void reach_error(void);

int main(void) {
    time_t t=1;
    time(&t);
    if (t!=1) reach_error();
    return 0;
}
