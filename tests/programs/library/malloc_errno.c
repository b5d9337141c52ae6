// check malloc: -DBLOCK=malloc(8)
// check calloc: -DBLOCK=calloc(2,4)
// check strdup: -DBLOCK=strdup("text")
// check never: -DBLOCK=malloc(8) --malloc-never-fails
// check given: -DBLOCK=malloc(8) -DGIVEN
// engines: slam auto
#include <errno.h>
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
int main(void) { //~[never] TRUE //~[given] TRUE
    errno = 0;
    char *block = BLOCK;
#ifdef GIVEN
    if (block && errno)
#else
    if (!block && errno)
#endif
        reach_error(); //~[malloc,calloc,strdup] never TRUE
    return 0;
}
