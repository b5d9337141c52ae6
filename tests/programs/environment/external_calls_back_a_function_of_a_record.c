// check:
// What cannot be passed from outside is said.
extern void reach_error(void);
struct pair { int a, b; };
extern void each(void (*)(struct pair));
static int sum;
static void called(struct pair pair) { sum += pair.a; }
int main(void) {
    each(called); //~ UNKNOWN may call //~ never TRUE
    if (sum)
        reach_error();
    return 0;
}
