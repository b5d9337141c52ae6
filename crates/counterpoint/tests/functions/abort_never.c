// never reached, TRUE
#include <stdlib.h>
extern void reach_error(void);

int main(void) {
    abort();
    reach_error();
    return 0;
}
