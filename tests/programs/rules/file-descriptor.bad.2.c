// check: --64 --rule file-descriptor
#include <fcntl.h>
#include <unistd.h>
static void finish(int fd) {
    if (lseek(fd, 0, SEEK_SET) < 0)
        close(fd);
}
int main(void) {
    int fd = open("data", O_RDWR);
    if (fd == -1)
        return 1;
    finish(fd);
    close(fd); //~ FALSE file-descriptor
    return 0;
}
