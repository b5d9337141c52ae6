// check tool:
// check compiler: -DCOMPILER
// What another tool or compiler knows by name is no function without a body: nothing may be made up about it.
extern void reach_error(void);

int main(void) {
  unsigned x = 1;
#ifdef COMPILER
  if (__builtin_rotateleft32(x, 1) != 2) reach_error(); //~[compiler] UNKNOWN a built-in function that is not known here
  //~^[compiler] never TRUE
  //~^^[compiler] never FALSE
#else
  float f = x;
  if (__CPROVER_isnanf(f)) reach_error(); //~[tool] UNKNOWN a built-in function that is not known here
  //~^[tool] never TRUE
  //~^^[tool] never FALSE
#endif
  return 0;
}
