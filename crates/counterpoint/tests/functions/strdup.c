// reached, FALSE
#include <string.h>
extern void reach_error(void);

int main(void) {
    char*q=strdup("ab");
    if (q[1]=='b') reach_error();
    return 0;
}
