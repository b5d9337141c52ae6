// check: --entry foo --arguments any
// Whoever calls the entry function hands it a _Bool that is 0 or 1.
extern void reach_error(void);
void foo(_Bool y) { //~ TRUE
  if (y && (int)y != 1) reach_error();
}
