// check:
#include <stdarg.h>
#include <stdio.h>
extern void reach_error(void);
static int read(const char *s, const char *format, ...) { va_list list; va_start(list, format); int n = vsscanf(s, format, list); va_end(list); return n; }
int main(void) { int n = 5; read("7", "%d", &n); if (n == 7) reach_error(); //~ never TRUE
    return 0; }
