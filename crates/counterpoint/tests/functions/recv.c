// reached, UNKNOWN
#include <sys/socket.h>
extern void reach_error(void);

int main(void) {
    int s[2];
    char b[2]="x";
    socketpair(AF_UNIX,SOCK_STREAM,0,s);
    send(s[0],"y",1,0);
    recv(s[1],b,1,0);
    if (b[0]=='y') reach_error();
    return 0;
}
