#include <stdlib.h>
extern void reach_error(void);
void (*leave)(int) = exit;
int main(void) {
    leave(3);
    reach_error();
    return 0;
}
