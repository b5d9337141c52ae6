// check:
// A function without a body may call a function that is passed to it.
extern void reach_error(void);
extern void subscribe(void (*)(void));
static void called(void) { reach_error(); //~ never TRUE
}
int main(void) { subscribe(called); return 0; }
