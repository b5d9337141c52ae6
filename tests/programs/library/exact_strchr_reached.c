// check:
#include <string.h>
extern void reach_error(void);
int main(void) {
    char *x = strchr("abc", 'b');
    if (x != 0) reach_error(); //~ never TRUE
    return 0;
}
