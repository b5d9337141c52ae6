// check: --rule file-descriptor --confirm
int __VERIFIER_nondet_int(void);
int open(const char *name, int flags, ...) { return name[0] - 'a' + 3; }
int close(int fd) { return 0; }
long read(int fd, void *buffer, unsigned long size) { return 0; }

int main(void) {
    char buffer[4];
    int fd = open("a", 0), other = open("b", 0);
    switch (__VERIFIER_nondet_int()) {
    case 0:
        close(fd);
        close(other);
        close(fd); //~ FALSE file-descriptor: the descriptor is closed twice
        break;
    case 1:
        close(fd);
        read(fd, buffer, 1); //~ FALSE file-descriptor: the descriptor is used after it was closed
        break;
    }
    close(fd);
    return 0; //~ FALSE file-descriptor: the descriptor is still open when the program ends
}
//~ note: confirmed by running the compiled program
