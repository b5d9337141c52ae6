// never reached, TRUE
#include <unistd.h>
extern void reach_error(void);

int main(void) {
    char b[8];
    int r=read(0,b,8);
    if (r>8) reach_error();
    return 0;
}
