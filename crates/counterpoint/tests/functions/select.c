// reached, FALSE
#include <sys/select.h>
extern void reach_error(void);

int main(void) {
    fd_set s;
    FD_ZERO(&s);
    int x=1;
    struct timeval t={0,0};
    FD_SET(0,&s);
    select(0,&s,0,0,&t);
    if (x==1) reach_error();
    return 0;
}
