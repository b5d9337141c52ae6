/* Loops, switch, goto, computed goto, short circuit, recursion, function pointers. */
#include <stdio.h>

static int calls;
static int yes(void) { return ++calls; }
static int no(void) { ++calls; return 0; }

static int classify(int n) {
  switch (n) {
  case -1: return 1;
  case 0:
  case 1: n += 10; /* falls through */
  case 2: return n * 2;
  case 10 ... 20: return 3;
  default: break;
  }
  return -1;
}

static int interpret(const char *code) {
  static void *table[] = {&&halt, &&push, &&add, &&twice};
  int stack[8], top = 0;
next:
  goto *table[*code++ - '0'];
push:
  stack[top] = top + 2;
  top++;
  goto next;
add:
  top--;
  stack[top - 1] += stack[top];
  goto next;
twice:
  stack[top - 1] *= 2;
  goto next;
halt:
  return stack[0];
}

static unsigned ackermann(unsigned m, unsigned n) {
  if (!m) return n + 1;
  if (!n) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

static int odd(int n);
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }

static int apply(int (*f)(int), int x) { return (*f)(x); }

static int deep(int n) { int local[4] = {n}; return n == 0 ? 0 : local[0] - n + 1 + deep(n - 1); }

int main(void) {
  for (int i = -2; i < 22; i += 3) printf("%d ", classify(i));
  printf("\n");
  int both = yes() && no() && yes(), either = no() || yes();
  printf("%d %d %d\n", both, either, calls);
  printf("%d\n", 0 ? yes() : 7);
  printf("%d\n", (yes(), no(), calls));
  printf("%d\n", 5 ?: 6);
  printf("%d\n", interpret("11230"));
  printf("%u\n", ackermann(2, 6));
  printf("%d %d\n", even(1000), apply(odd, 7));
  int n = 0;
  do {
    if (n == 3) continue;
    if (n == 6) goto out;
  } while (++n < 10 || n < 3);
out:
  printf("%d\n", n);
  int (*functions[])(int) = {even, odd, classify};
  for (int i = 0; i < 3; i++) printf("%d ", functions[i](2));
  printf("\n%d\n", deep(20000));
  int total = ({ int t = 0; for (int i = 0; i < 5; i++) t += i; t; });
  int vla_size = total;
  int vla[vla_size];
  for (int i = 0; i < vla_size; i++) vla[i] = i;
  printf("%d %d\n", vla[9], (int)(sizeof vla / sizeof *vla));
  return total;
}
