// check:
#include <stdlib.h>
extern void reach_error(void);
static void last(void) { reach_error(); //~ never TRUE
}
int main(void) { at_quick_exit(last); quick_exit(0); }
