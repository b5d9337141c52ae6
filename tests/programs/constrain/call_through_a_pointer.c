// check: --constrain eager --stats
// Where a call through a pointer leads is refined by constraints.
extern void reach_error(void);
static int calls;
static void count(void) { calls++; }
static void run(void (*action)(void)) { action(); } //~ note: call of another function:
int main(void) {
    run(count);
    if (calls != 1)
        reach_error(); //~ TRUE
    return 0;
}
