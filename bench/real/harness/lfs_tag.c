// What a tag is made from can be read from it.
// define: LFS_NO_DEBUG LFS_NO_WARN LFS_NO_ERROR
// bug: littlefs/lfs.c: (tag & 0x000ffc00) >> 10 => (tag & 0x0007fc00) >> 10
#include "littlefs/lfs.c"
#include "input.h"

int main(void) {
    uint32_t type = input_below(0x800), id = input_below(0x400), size = input_below(0x400);
    lfs_tag_t tag = LFS_MKTAG(type, id, size);
    assert(lfs_tag_isvalid(tag));
    assert(lfs_tag_type3(tag) == type && lfs_tag_id(tag) == id && lfs_tag_size(tag) == size);
    assert(lfs_tag_isdelete(tag) == (size == 0x3ff));
    assert(lfs_tag_dsize(tag) == 4 + (size == 0x3ff ? 0 : size));
}
