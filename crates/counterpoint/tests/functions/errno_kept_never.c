// never reached, TRUE
#include <errno.h>
extern void reach_error(void);

int main(void) {
    errno=5;
    if (errno!=5) reach_error();
    return 0;
}
