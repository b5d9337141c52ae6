// reached, FALSE
#include <string.h>
extern void reach_error(void);

int main(void) {
    if (strspn("aab","a")==2) reach_error();
    return 0;
}
