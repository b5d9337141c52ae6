// Where a byte of a file lies: in the block it is said to be in, after the pointers of that block.
// define: LFS_NO_DEBUG LFS_NO_WARN LFS_NO_ERROR LFS_NO_INTRINSICS
// bug: littlefs/lfs.c: *off = size - b*i - 4*lfs_popc(i); => *off = size - b*i - 4*lfs_popc(i - 1);
#include "littlefs/lfs.c"
#include "input.h"

int main(void) {
    struct lfs_config config = {.block_size = 128};
    lfs_t lfs = {.cfg = &config};
    lfs_off_t position = input_below(20000), off = position;
    int block = lfs_ctz_index(&lfs, &off);
    assert(off < 128);
    assert(block == 0 || off >= 4 * (lfs_ctz((uint32_t)block) + 1));
}
