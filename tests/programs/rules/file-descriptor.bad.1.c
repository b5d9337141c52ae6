// check: --64 --rule file-descriptor
#include <fcntl.h>
#include <unistd.h>
int main(void) {
    char c;
    int fd = open("settings", O_RDONLY);
    if (fd < 0)
        return 1;
    if (read(fd, &c, 1) != 1)
        return 2; //~ FALSE file-descriptor
    close(fd);
    return 0;
}
