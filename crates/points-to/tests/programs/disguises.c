// Pointers that travel as integers, as bytes, in unions and in variable arguments.
typedef __builtin_va_list va_list;
void *malloc(unsigned long);
void *realloc(void *, unsigned long);
void *memcpy(void *, const void *, unsigned long);
void *memset(void *, int, unsigned long);

struct pair { int *first, *second; short tag : 5; unsigned more : 11; };
union box { int *pointer; unsigned char bytes[sizeof(int *)]; unsigned long number; struct { short a, b; } halves; };

// The first member is an array of bytes: a byte pointer to the struct may be one to the array.
struct named { char name[sizeof(int *)]; int *pointer; struct { unsigned char kind; int *inner; } parts[2]; };
union mixed { struct { int *p; int n[2]; } s; char raw[2 * sizeof(int *)]; };

int x = 1, y = 2, z = 3;
static int table[4];

static void copy(char *to, const char *from, unsigned long n) {
  while (n--) *to++ = *from++;
}

static int *nth(int n, ...) {
  va_list ap;
  int *found = 0;
  __builtin_va_start(ap, n);
  while (n--) found = __builtin_va_arg(ap, int *);
  __builtin_va_end(ap);
  return found;
}

static struct pair swap(struct pair p) {
  struct pair q = p;
  q.first = p.second;
  q.second = p.first;
  q.more = 9;
  return q;
}

static void *grow(void *p, unsigned long n) {
  void *q = realloc(p, n);
  return q;
}

int main(void) {
  struct pair a = {&x, &y, 3, 4}, b, c;
  copy((char *)&b, (char *)&a, sizeof a);
  *b.first += 10;
  c = swap(b);
  *c.first += 20;
  memcpy(&b, &c, sizeof b);
  *b.second += 1;

  union box box, other;
  box.pointer = &z;
  for (unsigned i = 0; i < sizeof box; i++) other.bytes[i] = box.bytes[i];
  *other.pointer += 5;
  other.halves.b = 3;

  unsigned long number = (unsigned long)&table[1];
  number |= 1;
  int *tagged = (int *)(number & ~1UL);
  tagged[1] = 7;
  *nth(2, &x, &table[3]) = 11;

  int **list = malloc(2 * sizeof *list);
  list[0] = &x;
  list[1] = &y;
  list = grow(list, 8 * sizeof *list);
  list[5] = list[1];
  *list[5] = 6;
  char *raw = (char *)list;
  int **again = (int **)(raw + 5 * sizeof *list);
  **again += 1;

  struct named one = {"one", &z, {{1, &x}, {2, &y}}}, two;
  for (unsigned i = 0; i < sizeof one; i++) ((char *)&two)[i] = ((char *)&one)[i];
  *two.pointer += 2;
  *two.parts[1].inner += 2;
  two.name[1] = 'w';
  union mixed m, n;
  m.s.p = &y;
  m.s.n[1] = 0;
  for (unsigned i = 0; i < sizeof m.raw; i++) n.raw[i] = m.raw[i];
  *n.s.p += 3;
  n.s.n[0] = n.raw[1];

  struct pair zero;
  memset(&zero, 0, sizeof zero);
  zero.first = table;
  int *end = zero.first + 4;
  while (end-- > zero.first) *end += 1;
  return x + y + z + table[1] + zero.tag;
}
