// check result:
// check value: -DUNINITIALISED
// A pointer that nobody in the program made is not the address of a variable that nobody gave away.
extern void reach_error(void);
extern int *somewhere(void);
int main(void) {
  int x = 123, *p = &x;
#ifdef UNINITIALISED
  int *q;
#else
  int *q = somewhere(); //~[result] note: assumed: somewhere (no body)
#endif
  if (p == q && *q != 123) reach_error(); //~ UNKNOWN a pointer from outside to be the address of `x`, which nobody gave it
  //~^ never FALSE
  return 0;
}
