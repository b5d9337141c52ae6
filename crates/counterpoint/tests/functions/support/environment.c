// What the programs call that no library has.
#include <stdlib.h>
#include <unistd.h>

void reach_error(void) { _exit(42); }
int nondet(void) { return 3; }
void *kmalloc(unsigned long size, unsigned flags) { return malloc(size); }
void *kzalloc(unsigned long size, unsigned flags) { return calloc(1, size); }
void panic(const char *format, ...) { _exit(9); }
__attribute__((weak)) long __isoc23_strtol(const char *text, char **end, int base) { return strtol(text, end, base); }
