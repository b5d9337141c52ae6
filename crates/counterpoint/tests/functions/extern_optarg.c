// reached, UNKNOWN
#include <unistd.h>
extern void reach_error(void);

int main(void) {
    char a0[]="p",a1[]="-xv",*v[3]={a0,a1,0};
    getopt(2,v,"x:");
    if (optarg) {
        *optarg='w';
        if (a1[2]=='w') reach_error();
    }
    return 0;
}
