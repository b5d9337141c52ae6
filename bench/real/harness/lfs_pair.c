// Pairs of blocks are told apart by whether they share a block, in either order.
// define: LFS_NO_DEBUG LFS_NO_WARN LFS_NO_ERROR
// bug: littlefs/lfs.c: paira[0] == pairb[1] || paira[1] == pairb[0]) => paira[0] == pairb[1] || paira[1] == pairb[1])
#include "littlefs/lfs.c"
#include "input.h"

int main(void) {
    lfs_block_t a[2] = {__VERIFIER_nondet_uint(), __VERIFIER_nondet_uint()};
    lfs_block_t b[2] = {__VERIFIER_nondet_uint(), __VERIFIER_nondet_uint()};
    int different = lfs_pair_cmp(a, b);
    assert(different == lfs_pair_cmp(b, a));
    lfs_pair_swap(a);
    assert(different == lfs_pair_cmp(a, b));
    if (lfs_pair_issync(a, b))
        assert(!different);
}
