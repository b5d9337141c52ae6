// check entry:
// check again: -DAGAIN
// check case: -DCASE
// check inner: -DINNER
// check expression: -DEXPRESSION
// check kept: -DKEPT
// A declaration that a jump leads past: the object is there, and its value is whatever, not that of the call or the round before.
extern void reach_error(void);
int use(int *p) { return *p; }

int past(int skip) {
  if (skip) goto over;
  int x = 5;
  use(&x);
over:
  return x;
}

int cased(int value) {
  switch (value) {
    int x;
  case 0:
    x = 5;
    return use(&x);
  default:
    return x;
  }
}

int inner(int rounds) {
  int seen = 5;
  for (int i = 0; i < rounds; i++) {
    if (i) goto in;
    {
      int x = 5;
      use(&x);
    in:
      seen = x;
    }
  }
  return seen;
}

int from_expression(int skip) {
  ({ if (skip) goto over; 0; });
  int x = 5;
  use(&x);
over:
  return x;
}

/* Inside of its block an object keeps its value. */
int kept(void) {
  int round = 0;
again:
  if (round == 1) goto over;
  int x = 5;
  use(&x);
over:
  if (round++ < 1) goto again;
  return x;
}

int main(void) { //~[kept] TRUE
#if defined CASE
  cased(0);
  if (cased(1) != 5) reach_error(); //~[case] FALSE
#elif defined INNER
  if (inner(2) != 5) reach_error(); //~[inner] FALSE
#elif defined EXPRESSION
  from_expression(0);
  if (from_expression(1) != 5) reach_error(); //~[expression] FALSE
#elif defined KEPT
  if (kept() != 5) reach_error();
#elif defined AGAIN
  for (int i = 0; i < 2; i++)
    if (past(i) != 5) reach_error(); //~[again] FALSE
#else
  past(0);
  if (past(1) != 5) reach_error(); //~[entry] FALSE
#endif
  return 0;
}
