// reached, UNKNOWN
#include <unistd.h>
#include <sys/ioctl.h>
extern void reach_error(void);

int main(void) {
    int n=-1;
    int f[2];
    pipe(f);
    write(f[1],"ab",2);
    ioctl(f[0],FIONREAD,&n);
    if (n==2) reach_error();
    return 0;
}
