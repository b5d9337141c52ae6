// Counting bits without the compiler's help agrees with counting them one by one.
// define: LFS_NO_INTRINSICS LFS_NO_DEBUG LFS_NO_WARN LFS_NO_ERROR
// bug: littlefs/lfs_util.h: s = (a > 0xff  ) << 3; => s = (a > 0x1ff ) << 3;
#include "littlefs/lfs_util.h"
#include "input.h"

int main(void) {
    uint32_t a = __VERIFIER_nondet_uint();
    __VERIFIER_assume(a > 1 && a < 0x80000000);
    uint32_t ones = 0, power = 0, zeros = 0;
    for (int i = 0; i < 32; i++)
        ones += a >> i & 1;
    while ((uint64_t)1 << power < a)
        power++;
    while (!(a >> zeros & 1))
        zeros++;
    assert(lfs_popc(a) == ones);
    assert(lfs_npw2(a) == power);
    assert(lfs_ctz(a) == zeros);
}
