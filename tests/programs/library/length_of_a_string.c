// check:
#include <string.h>
extern void reach_error(void);
int main(void) {
    char buffer[10] = "five";
    if (strlen(buffer) == 7) reach_error(); //~ TRUE
    return 0;
}
