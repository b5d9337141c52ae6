// check:
// <ctype.h> of the system looks characters up in a table of the library, whose contents formulas do not have.
#include <ctype.h>
extern void reach_error(void);
int main(void) {
  int x = isdigit('7'); //~ UNKNOWN leads to, which is not followed
  if (!x) reach_error(); //~ never FALSE
  return 0;
}
