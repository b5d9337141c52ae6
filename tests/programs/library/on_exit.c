// check:
#include <stdlib.h>
extern void reach_error(void);
static void last(int status, void *p) { reach_error(); //~ never TRUE
}
int main(void) { on_exit(last, 0); return 0; }
