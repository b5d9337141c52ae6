// check: --64 --rule file-descriptor
#include <sys/socket.h>
#include <unistd.h>
int main(void) {
    int tries = 0;
    while (tries < 2) {
        int s = socket(AF_INET, SOCK_STREAM, 0);
        if (s < 0)
            return 1; //~ FALSE file-descriptor
        if (listen(s, 5) == 0) {
            close(s);
            return 0;
        }
        tries++;
    }
    return 2;
}
