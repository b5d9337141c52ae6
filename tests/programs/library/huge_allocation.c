// check: --malloc-never-fails
// More memory than a run has here; that it cannot be shown is no mistake of the claim.
extern void *malloc(__SIZE_TYPE__);
extern void reach_error(void);
int main(void) { //~ never TRUE
  //~^ UNKNOWN needs more memory than a run has here
  int *block = malloc(3000000000U);
  if (block) reach_error();
  return 0;
}
