// reached, FALSE
#include <stdlib.h>
extern void reach_error(void);

int main(void) {
    char*q=getenv("PATH");
    if (q) reach_error();
    return 0;
}
