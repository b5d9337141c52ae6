// As many bytes are counted as are the same.
// define: LZ4_FORCE_MEMORY_ACCESS=0
// bug: lz4/lz4.c: pIn+=4; pMatch+=4; } => pIn+=5; pMatch+=4; }
#include "lz4/lz4.c"
#include "input.h"

int main(void) {
    BYTE a[10], b[10];
    input_bytes(a, 10);
    input_bytes(b, 10);
    unsigned int limit = input_below(11), same = 0;
    while (same < limit && a[same] == b[same])
        same++;
    assert(LZ4_count(a, b, a + limit) == same);
}
