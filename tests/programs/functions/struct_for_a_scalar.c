// check:
// A function is called through a pointer of another type, with a structure where it takes a number: undefined, and no reason to crash.
extern void reach_error(void);
struct pair {
    long first;
    int second;
};
static int take(int number) {
    return number;
}
static int give(struct pair given) {
    return given.second;
}
int main(int argc, char **argv) {
    struct pair pair = {1, 2};
    int (*call)(struct pair) = argc > 1 ? (int (*)(struct pair))take : give;
    if (call(pair) != 2) //~ UNKNOWN another type //~ never TRUE //~ never FALSE
        reach_error();
    return 0;
}
