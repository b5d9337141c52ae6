/* Structs and unions by value, bit-fields, flexible and nested arrays, compound literals, initialisers. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct point { int x, y; };
struct line { struct point from, to; char name[8]; };
union word { unsigned u; float f; unsigned char bytes[4]; };
struct flags {
  unsigned a : 3;
  signed b : 4;
  unsigned : 0;
  unsigned long long c : 33;
  _Bool d : 1;
  short e : 9;
};
struct flexible { int count; int items[]; };
struct __attribute__((packed)) packed { char c; int i; };

struct line global = {.to = {.y = 4}, .name = "abc", .from.x = 1};
int matrix[3][4] = {{1, 2}, [2] = {[3] = 9}};
struct flexible flexible = {3, {7, 8, 9}};
const char *names[] = {[1] = "one", [3] = "three"};

static struct point add(struct point a, struct point b) { return (struct point){a.x + b.x, a.y + b.y}; }

static struct line move(struct line l, int by) {
  l.from.x += by;
  l.to.y += by;
  return l;
}

int main(void) {
  struct point p = add((struct point){1, 2}, (struct point){10, 20});
  printf("%d %d\n", p.x, p.y);
  struct line moved = move(global, 100);
  printf("%d %d %s %d\n", moved.from.x, moved.to.y, moved.name, global.from.x);
  printf("%d %d\n", move(move(global, 1), 2).to.y, (int)sizeof(struct line));
  union word w = {.f = 1.0f};
  printf("%08x %02x\n", w.u, w.bytes[3]);
  struct flags f = {9, -9, 0x1ffffffffull, 2, 255};
  f.a += 6;
  f.b--;
  f.c += 2;
  printf("%u %d %llu %d %d %d\n", f.a, f.b, (unsigned long long)f.c, f.d, f.e, (int)sizeof f);
  printf("%d %d %d\n", matrix[0][1], matrix[1][3], matrix[2][3]);
  printf("%d %d\n", flexible.count, flexible.items[2]);
  struct flexible *heap = malloc(sizeof *heap + 5 * sizeof(int));
  heap->count = 5;
  for (int i = 0; i < heap->count; i++)
    heap->items[i] = i * i;
  printf("%d\n", heap->items[4]);
  free(heap);
  struct packed k[2] = {{'a', 1}, {'b', 2}};
  printf("%d %d %c\n", (int)sizeof k, k[1].i, k[1].c);
  printf("%s %s %d\n", names[1], names[3], names[2] == NULL);
  printf("%d\n", (int)offsetof(struct line, to.y));
  struct point array[4] = {0}, *q = array;
  q[2] = p;
  *++q = (struct point){5, 6};
  printf("%d %d %d\n", array[1].y, array[2].x, (int)(q - array));
  struct line copy;
  memcpy(&copy, &moved, sizeof copy);
  printf("%d\n", memcmp(&copy.from, &moved.from, sizeof copy.from));
  return 0;
}
