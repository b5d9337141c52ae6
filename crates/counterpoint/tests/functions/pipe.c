// reached, UNKNOWN
#include <unistd.h>
extern void reach_error(void);

int main(void) {
    int f[2]={-1,-1};
    pipe(f);
    if (f[0]!=-1) reach_error();
    return 0;
}
