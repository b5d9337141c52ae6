// check: --64 --rule file-descriptor
#include <fcntl.h>
#include <unistd.h>
int main(void) { //~ TRUE
    char c;
    int result = 0;
    int fd = open("settings", O_RDONLY);
    if (fd < 0)
        return 1;
    if (read(fd, &c, 1) != 1)
        result = 2;
    close(fd);
    return result;
}
