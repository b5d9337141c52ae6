// check:
// engines: bounded
// A function copies as much as it is told from where it is told: from one of two arrays that nothing else reads through a pointer.
#include <string.h>
extern void reach_error(void);
extern int nondet(void);
static unsigned char text[16];
static int size;
static void append(const unsigned char *from, int length) {
    memmove(text + size, from, length);
    size += length;
}
static void encode(int value) {
    unsigned char bytes[2];
    int length = 1;
    bytes[0] = value;
    if (value >= 128) {
        bytes[0] = 128 | value >> 7;
        bytes[1] = value & 127;
        length = 2;
    }
    append(bytes, length);
}
int main(void) { //~ TRUE
    static const unsigned char mark[] = {239, 187};
    int value = nondet() & 1023;
    append(mark, sizeof mark);
    encode(value);
    int back = text[2] < 128 ? text[2] : (text[2] & 127) << 7 | text[3];
    if (text[0] != 239 || back != value)
        reach_error();
    return 0;
}
