// check:
#include <signal.h>
extern void reach_error(void);
static void caught(int s) { reach_error(); //~ never TRUE
}
int main(void) { struct sigaction a = {0}; a.sa_handler = caught; sigaction(SIGUSR1, &a, 0); raise(SIGUSR1); return 0; }
