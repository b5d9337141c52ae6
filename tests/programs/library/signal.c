// check:
#include <signal.h>
extern void reach_error(void);
static void caught(int s) { reach_error(); //~ never TRUE
}
int main(void) { signal(SIGUSR1, caught); raise(SIGUSR1); return 0; }
