// check:
// Where an object lies is asked by a function that only a table names.
extern void reach_error(void);
static int asks(char *p) { return ((unsigned long)p >> 12 & 1) != 0; }
static int (*const table[])(char *) = {asks};
char c;

int main(void) { //~ never TRUE
    if (table[0](&c))
        reach_error();
    return 0;
}
