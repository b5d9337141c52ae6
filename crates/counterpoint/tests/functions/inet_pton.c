// reached, UNKNOWN
#include <arpa/inet.h>
extern void reach_error(void);

int main(void) {
    unsigned char a[4]={0,0,0,0};
    inet_pton(AF_INET,"1.2.3.4",a);
    if (a[0]==1) reach_error();
    return 0;
}
