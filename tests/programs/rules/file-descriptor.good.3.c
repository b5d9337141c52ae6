// check: --64 --rule file-descriptor
#include <sys/socket.h>
#include <unistd.h>
int main(void) { //~ TRUE
    int s = socket(AF_INET, SOCK_STREAM, 0);
    if (s < 0)
        return 1;
    for (int tries = 0; tries < 2; tries++) {
        if (listen(s, 5) == 0)
            break;
    }
    close(s);
    return 0;
}
