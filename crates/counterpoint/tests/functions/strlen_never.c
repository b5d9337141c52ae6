// never reached, TRUE
#include <string.h>
extern void reach_error(void);

int main(void) {
    if (strlen("abc")!=3) reach_error();
    return 0;
}
