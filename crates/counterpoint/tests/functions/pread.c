// reached, UNKNOWN
#include <fcntl.h>
#include <unistd.h>
extern void reach_error(void);

int main(int c,char**v) {
    char b[5]="x";
    int f=open(v[0],0);
    pread(f,b,4,0);
    if (b[1]=='E') reach_error();
    return 0;
}
