// reached, FALSE
#include <stdio.h>
extern void reach_error(void);

int main(void) {
    int x=77;
    printf("ab%n\n",&x);
    if (x==2) reach_error();
    return 0;
}
