// reached, FALSE
#include <string.h>
#include <strings.h>
extern void reach_error(void);

int main(void) {
    if (strcasecmp("Ab","aB")==0) reach_error();
    return 0;
}
