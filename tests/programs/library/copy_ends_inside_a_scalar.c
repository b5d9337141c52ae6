// check inside: -DRELATION=!=
// check reached: -DRELATION===
#include <string.h>
extern void reach_error(void);
int main(void) {
    int from = 0x11223344, to = 0x55667788, *p = &to;
    memcpy(p, &from, 2);
    if (*p RELATION 0x55663344) reach_error(); //~[inside] TRUE //~[reached] FALSE
    return 0;
}
