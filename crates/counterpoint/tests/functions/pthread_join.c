// reached, UNKNOWN
#include <pthread.h>
extern void reach_error(void);

void*t(void*a) {
    return a;
}
int main(void) {
    pthread_t x;
    void*r=0;
    int y;
    pthread_create(&x,0,t,&y);
    pthread_join(x,&r);
    if (r==&y) reach_error();
    return 0;
}
