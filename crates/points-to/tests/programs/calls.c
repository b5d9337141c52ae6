// Functions in tables, in structs, as arguments; recursion with addresses of locals; allocation behind wrappers.
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void free(void *);
void abort(void);

struct shape { int (*area)(struct shape *); void (*scale)(struct shape *, int); struct shape *parent; int w, h; };

static int box_area(struct shape *s) { return s->w * s->h; }
static int line_area(struct shape *s) { return s->w + (s->parent ? s->parent->area(s->parent) : 0); }
static void box_scale(struct shape *s, int by) { s->w *= by; s->h *= by; }
static void line_scale(struct shape *s, int by) { s->w *= by; }

static int (*const areas[])(struct shape *) = {box_area, line_area};

static void *need(unsigned long n) {
  void *p = malloc(n);
  if (!p) abort();
  return p;
}

static struct shape *shape(int kind, struct shape *parent) {
  struct shape *s = need(sizeof *s);
  s->area = areas[kind];
  s->scale = kind ? line_scale : box_scale;
  s->parent = parent;
  s->w = kind + 2;
  s->h = 3;
  return s;
}

static void each(struct shape **list, int n, void (*f)(struct shape *, int), int by) {
  if (n == 0) return;
  (f ? f : (*list)->scale)(*list, by);
  each(list + 1, n - 1, f, by);
}

static int depth(int n, int *best, int **where) {
  int here = n;
  if (*best < n) {
    *best = n;
    *where = &here;
  }
  if (n < 5) return depth(n + 1, best, where) + here;
  **where += 1;
  return here;
}

static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(void) {
  struct shape *all[4];
  all[0] = shape(0, 0);
  for (int i = 1; i < 4; i++) all[i] = shape(i & 1, all[i - 1]);
  each(all, 4, 0, 2);
  each(all + 1, 2, box_scale, 3);
  int total = 0;
  for (int i = 0; i < 4; i++) total += all[i]->area(all[i]);
  int best = 0, *where = &best;
  total += depth(1, &best, &where);
  int *cells = calloc(4, sizeof *cells);
  for (int i = 0; i < 4; i++) cells[i] = 7 - i;
  total += order(&cells[0], &cells[3]);
  free(cells);
  return total & 127;
}
