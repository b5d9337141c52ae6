// check:
#include <stdlib.h>
extern void reach_error(void);
static void last(void) { reach_error(); //~ never TRUE
}
int main(void) { atexit(last); return 0; }
