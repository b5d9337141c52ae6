/* Reads length-prefixed fields out of a packet; the check of the length forgets the prefix itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct packet {
    size_t size;
    unsigned char *bytes;
};

static void print_fields(const struct packet *packet)
{
    size_t at = 0;
    while (at < packet->size) {
        size_t length = packet->bytes[at];
        if (at + length > packet->size)
            return;
        for (size_t i = 1; i <= length; i++)
            putchar(packet->bytes[at + i]);
        putchar('\n');
        at += length + 1;
    }
}

int main(void)
{
    static const unsigned char wire[] = {3, 'o', 'n', 'e', 3, 't', 'w', 'o', 4, 'f', 'o', 'u'};
    struct packet packet = {sizeof wire, malloc(sizeof wire)};
    if (packet.bytes == NULL)
        return 1;
    memcpy(packet.bytes, wire, sizeof wire);
    print_fields(&packet);
    free(packet.bytes);
    return 0;
}
