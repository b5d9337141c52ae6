// reached, UNKNOWN
#include <unistd.h>
extern void reach_error(void);

int main(void) {
    char a0[]="p",a1[]="-x",*v[3]={a0,a1,0};
    getopt(2,v,"x");
    if (optind==2) reach_error();
    return 0;
}
