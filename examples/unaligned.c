/* Reads the length of a record that starts behind a tag of one byte, as if it were an int of its own. */
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned char *record = calloc(1, 16);
    if (record == NULL)
        return 1;
    record[0] = __VERIFIER_nondet_uchar();
    unsigned char *body = record[0] & 0x80 ? record + 4 : record + 1;
    int length = *(int *)body;
    free(record);
    return length;
}
