// check:
// Reached where descriptor 3 is a file.
#include <unistd.h>
extern void reach_error(void);
extern long pread(int, void *, __SIZE_TYPE__, long);
int main(void) {
    char a[4] = {0};
    pread(3, a, 4, 0);
    if (a[0] != 0) reach_error(); //~ never TRUE
    return 0;
}
