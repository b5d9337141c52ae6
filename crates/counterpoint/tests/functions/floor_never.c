// never reached, TRUE
#include <math.h>
extern void reach_error(void);

int main(void) {
    if (floor(2.5)!=2.0||floor(-2.5)!=-3.0||ceil(2.5)!=3.0) reach_error();
    return 0;
}
