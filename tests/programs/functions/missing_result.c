// check:
// The result of a function that returned none is undefined; no run shows a violation that rests on it.
extern void reach_error(void);
int missing(int x) {
  if (x) return x;
}
int main(void) {
  if (missing(0) != 0) reach_error(); //~ UNKNOWN has undefined behaviour: use of the result of a function that returned none
  //~^ never TRUE
  //~^^ never FALSE
  return 0;
}
