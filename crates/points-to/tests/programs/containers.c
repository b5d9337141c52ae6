// Lists whose links are members: from the link to what contains it, in plain and in integer arithmetic.
typedef unsigned long size_t;
void *malloc(size_t);

struct link { struct link *next, **back; };
struct item { int key; struct link by_key; char name[6]; struct link by_age; long value; };
struct group { int count; struct item members[3]; struct link all; };

#define container(p, type, member) ((type *)((char *)(p) - __builtin_offsetof(type, member)))

static struct link keys, ages;
static struct group group;

static void add(struct link *head, struct link *l) {
  l->next = head->next;
  if (l->next) l->next->back = &l->next;
  head->next = l;
  l->back = &head->next;
}

static void drop(struct link *l) {
  *l->back = l->next;
  if (l->next) l->next->back = l->back;
}

static long sum(void) {
  long total = 0;
  for (struct link *l = keys.next; l; l = l->next) total += container(l, struct item, by_key)->value;
  for (struct link *l = ages.next; l; l = l->next) {
    struct item *i = (struct item *)((size_t)l - __builtin_offsetof(struct item, by_age));
    total += i->key;
    i->name[total & 3] = 'x';
  }
  return total;
}

int main(void) {
  for (int i = 0; i < 8; i++) {
    struct item *it = i < 3 ? &group.members[i] : malloc(sizeof *it);
    it->key = i;
    it->value = i * i;
    add(&keys, &it->by_key);
    add(&ages, &it->by_age);
    if (i == 1) {
      struct group *g = container(it, struct group, members[1]);
      g->count += 5;
      g->all.next = &it->by_age;
    }
  }
  drop(keys.next);
  drop(&container(ages.next, struct item, by_age)->by_age);
  return (int)(sum() + group.count);
}
