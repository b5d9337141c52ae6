// check: --64 --rule file-descriptor
#include <fcntl.h>
#include <unistd.h>
static int back(int fd) {
    return lseek(fd, 0, SEEK_SET) < 0 ? -1 : 0;
}
int main(void) { //~ TRUE
    int fd = open("data", O_RDWR);
    if (fd == -1)
        return 1;
    int failed = back(fd);
    close(fd);
    return failed ? 2 : 0;
}
