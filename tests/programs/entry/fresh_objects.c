// check harness: --entry f
// check any: --entry f --arguments any
// engines: bounded
// With the arguments of a harness, pointers lead to fresh objects; else they may lead to the same.
extern void reach_error(void);
struct pair { int *first; int second; };

int f(int *p, struct pair *pair) { //~[harness] TRUE //~[any] never TRUE
    *p = 1;
    pair->second = 2;
    if (*p == 2)
        reach_error(); //~[any] FALSE
    return 0;
} //~[harness] note: pointers lead to fresh objects
