// check:
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    char *line = 0;
    size_t n = 0;
    getline(&line, &n, stdin);
    if (n != 0) reach_error(); //~ never TRUE
    return 0;
}
