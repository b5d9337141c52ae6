// never reached, TRUE
#include <string.h>
extern void reach_error(void);

int main(void) {
    if (strcmp("abc","abc")!=0) reach_error();
    return 0;
}
