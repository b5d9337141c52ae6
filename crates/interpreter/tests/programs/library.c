/* The C library as the models have it. */
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int sum(int count, ...) {
  va_list list, again;
  va_start(list, count);
  va_copy(again, list);
  int total = 0;
  for (int i = 0; i < count; i++) total += va_arg(list, int);
  total *= va_arg(again, int);
  va_end(again);
  va_end(list);
  return total;
}

struct pair { long long a; char b; };

static void mixed(const char *kinds, ...) {
  va_list list;
  va_start(list, kinds);
  for (; *kinds; kinds++) {
    switch (*kinds) {
    case 'i': printf("%d ", va_arg(list, int)); break;
    case 'd': printf("%g ", va_arg(list, double)); break;
    case 's': printf("%s ", va_arg(list, char *)); break;
    case 'l': printf("%lld ", va_arg(list, long long)); break;
    case 'p': { struct pair p = va_arg(list, struct pair); printf("%lld%c ", p.a, p.b); }
    }
  }
  printf("\n");
  va_end(list);
}

static void logged(const char *format, ...) {
  char buffer[64];
  va_list list;
  va_start(list, format);
  int length = vsnprintf(buffer, 16, format, list);
  va_end(list);
  va_start(list, format);
  vprintf(format, list);
  va_end(list);
  printf("|%s|%d\n", buffer, length);
}

static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void first(void) { puts("first"); }
static void second(void) { puts("second"); }

int main(int argc, char **argv) {
  printf("%d %d\n", sum(3, 1, 2, 3), sum(1, 9));
  mixed("idslp", 1, 2.5, "three", 4ll, (struct pair){5, 'x'});
  logged("%s %d %05.1f", "a long text", 42, 3.14159);
  printf("[%5d][%-5d][%05d][%+d][% d][%x][%#X][%#o][%u]\n", 42, 42, -42, 42, 42, 255, 255, 8, -1);
  printf("[%hhd][%hd][%ld][%lld][%zu][%td]\n", 300, 70000, -1l, 1ll << 40, sizeof(int), (char *)argv - (char *)argv);
  printf("[%c][%5s][%-5s][%.2s][%%][%*d][%.*f]\n", 'c', "ab", "ab", "abc", 6, 1, 2, 3.14159);
  printf("[%f][%e][%g][%G][%a]\n", 1.5, 12345.678, 1e-10, 1e20, 0.1);
  printf("[%10.3f][%-10.2e][%+.0f][%#.0f]\n", 3.14159, 3.14159, 2.5, 3.0);
  char text[64] = "hello";
  strcat(text, " world");
  strncat(text, "!!!", 1);
  printf("%s %d %d\n", text, (int)strlen(text), (int)strnlen(text, 3));
  printf("%s %s %s\n", strchr(text, 'w'), strrchr(text, 'o'), strstr(text, "lo"));
  printf("%d %d %d\n", strcmp("abc", "abd") < 0, strncmp("abc", "abd", 2), strcmp("b", "a") > 0);
  printf("%d %d\n", (int)strspn("aabbc", "ab"), (int)strcspn("hello", "lo"));
  char *copy = strdup(text);
  for (char *p = copy; *p; p++) *p = toupper((unsigned char)*p);
  puts(copy);
  free(copy);
  for (char *token = strtok(text, " o"); token; token = strtok(NULL, " o")) printf("<%s>", token);
  printf("\n");
  char *end;
  long parsed = strtol("0x1fz", &end, 0);
  printf("%d %ld %lu %s\n", atoi(" -12x"), parsed, strtoul("777", NULL, 8), end);
  errno = 0;
  parsed = strtol("99999999999999999999z", &end, 10);
  printf("%d %d %s\n", parsed == LONG_MAX, errno == ERANGE, end);
  errno = 0;
  parsed = strtol("-99999999999999999999", &end, 10);
  printf("%d %d %d\n", parsed == LONG_MIN, errno == ERANGE, *end);
  printf("%d %d\n", strtoull("-1", NULL, 10) == ULLONG_MAX, strtoul("0x7fffffff", NULL, 16) == INT_MAX);
  errno = 0;
  unsigned long most = strtoul("18446744073709551616", NULL, 10);
  printf("%d %d\n", most == ULONG_MAX, errno == ERANGE);
  errno = 0;
  parsed = strtol("12", &end, 1);
  printf("%ld %d\n", parsed, errno == EINVAL);
  errno = 0;
  parsed = strtol("12", &end, 10);
  printf("%ld %d\n", parsed, errno);
  double half = strtod("-.5rest", &end);
  printf("%g %g %s\n", atof("2.5e3"), half, end);
  printf("%d %d %d %d\n", !!isdigit('5'), !!isalpha('5'), !!isspace('\n'), !!isxdigit('f'));
  int numbers[] = {5, 3, 9, -1, 7};
  qsort(numbers, 5, sizeof *numbers, by_value);
  for (int i = 0; i < 5; i++) printf("%d ", numbers[i]);
  int key = 7;
  printf("%d\n", (int)((int *)bsearch(&key, numbers, 5, sizeof key, by_value) - numbers));
  int *block = calloc(4, sizeof *block);
  block[3] = 4;
  block = realloc(block, 100 * sizeof *block);
  block[99] = block[0] + block[3];
  printf("%d\n", block[99]);
  free(block);
  memset(text, 'x', 5);
  memmove(text + 1, text, 8);
  printf("%.9s\n", text);
  printf("%d %d\n", abs(-5), (int)labs(-6l));
  assert(argc == 1 && argv[1] == NULL);
  fprintf(stdout, "%s\n", "to stdout");
  fputs("fputs\n", stdout);
  putchar('p');
  fputc('\n', stdout);
  atexit(first);
  atexit(second);
  exit(7);
}
