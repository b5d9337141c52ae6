// check null: -DCONDITION=!f
// check not_null: -DCONDITION=f
// A run ends at a call through null.
extern void reach_error(void);
extern int nondet(void);
static void nothing(void) { }
int main(void) {
    void (*f)(void) = 0;
    if (nondet()) f = nothing;
    f();
    if (CONDITION) reach_error(); //~[null] TRUE //~[not_null] FALSE
    return 0;
}
