// check: --rule file-descriptor
int open(const char *name, int flags, ...) { return name[0] == 'm' ? -1 : 3; }
int close(int fd) { return 0; }
long read(int fd, void *buffer, unsigned long size) { return 0; }
long write(int fd, const void *buffer, unsigned long size) { return size; }

int main(void) { //~ TRUE
    char buffer[4];
    int fd = open("missing", 0);
    if (fd >= 0)
        close(fd);
    fd = open("there", 1, 0644);
    if (fd < 0)
        return 1;
    read(fd, buffer, sizeof buffer);
    write(1, buffer, sizeof buffer);
    close(fd);
    fd = open("there", 0);
    read(fd, buffer, 1);
    close(fd);
    return 0;
}
