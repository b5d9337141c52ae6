// reached, UNKNOWN
#include <setjmp.h>
extern void reach_error(void);

static jmp_buf b;
int main(void) {
    volatile int x=0;
    if (setjmp(b)) {
        if (x) reach_error();
        return 0;
    }
    x=1;
    longjmp(b,1);
}
