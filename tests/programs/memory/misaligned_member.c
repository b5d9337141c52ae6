// check wide: --check alignment
// check packed: --check alignment -DPACKED=__attribute__((packed))
// engines: bounded
#ifndef PACKED
#define PACKED
#endif
struct header { short kind; int size; } PACKED;
long words[4];
int main(void) { //~[packed] TRUE
    struct header *h = (struct header *)((char *)words + 2);
    return h->size; //~[wide] FALSE no-misaligned-access
}
