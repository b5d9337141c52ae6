/* Runs compiled programs on every sequence of choices, and prints what their probes saw.
 *
 * A run is a child process, so that it starts with fresh storage and may end as it likes. What a run chose is kept in memory
 * that parent and child share: the parent counts it up like an odometer whose wheels are found on the way. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHOICES = 48, SITES = 4, VALUES = 96, UNDEFINED = 77 };

struct shared {
  int chosen[CHOICES], width[CHOICES], length, position;
  int too_long;
  long value[SITES][VALUES];
  int values[SITES], too_many[SITES];
};

static struct shared *shared;
int conventions;

extern int (*const programs[])(void);
extern const int program_count;

int choose(int width) {
  struct shared *s = shared;
  if (s->position == CHOICES) {
    s->too_long = 1;
    return 0;
  }
  int at = s->position++;
  if (at == s->length) {
    s->chosen[at] = 0;
    s->width[at] = width;
    s->length++;
  }
  return s->chosen[at];
}

void observe(int site, long value) {
  struct shared *s = shared;
  for (int i = 0; i < s->values[site]; i++)
    if (s->value[site][i] == value) return;
  if (s->values[site] == VALUES)
    s->too_many[site] = 1;
  else
    s->value[site][s->values[site]++] = value;
}

void __VERIFIER_assume(int condition) {
  if (!condition) _exit(0);
}

int __VERIFIER_nondet_int(void) { return choose(2) ? -7 : 9; }
_Bool __VERIFIER_nondet_bool(void) { return choose(2); }

void *run_malloc(size_t size) {
  return !conventions && choose(2) ? NULL : malloc(size);
}

void *run_calloc(size_t count, size_t size) {
  return !conventions && choose(2) ? NULL : calloc(count, size);
}

void *run_realloc(void *block, size_t size) {
  return !conventions && choose(2) ? NULL : realloc(block, size);
}

static int next(void) {
  struct shared *s = shared;
  while (s->length > 0) {
    int last = s->length - 1;
    if (++s->chosen[last] < s->width[last]) return 1;
    s->length--;
  }
  return 0;
}

static const char *explore(int program, int limit, int *runs) {
  for (*runs = 1;; ++*runs) {
    shared->position = 0;
    pid_t child = fork();
    if (child == 0) {
      alarm(2);
      exit(programs[program]() & 1);
    }
    int status;
    if (child < 0 || waitpid(child, &status, 0) != child) return "failed";
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) return "endless";
    if (WIFSIGNALED(status) && WTERMSIG(status) != SIGABRT) return "undefined";
    if (WIFEXITED(status) && WEXITSTATUS(status) == UNDEFINED) return "undefined";
    if (!next()) return shared->too_long ? "some" : "all";
    if (*runs == limit) return "some";
  }
}

int main(int argc, char **argv) {
  int limit = argc > 1 ? atoi(argv[1]) : 1000;
  conventions = argc > 2 && atoi(argv[2]);
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return 1;
  for (int i = 0; i < program_count; i++) {
    *shared = (struct shared){0};
    int runs;
    const char *how = explore(i, limit, &runs);
    printf("%d %s %d", i, how, runs);
    for (int site = 0; site < SITES; site++) {
      printf(" %s", shared->too_many[site] ? "some" : "all");
      for (int v = 0; v < shared->values[site]; v++)
        printf("%c%ld", v ? ',' : ':', shared->value[site][v]);
    }
    printf("\n");
    fflush(stdout);
  }
  return 0;
}
