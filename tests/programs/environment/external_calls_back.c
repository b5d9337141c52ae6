// check: --confirm --64
// A function without a body may call a function that is passed to it.
extern void reach_error(void);
extern void subscribe(void (*)(void));
static void called(void) { reach_error(); //~ FALSE //~ note: confirmed by running
}
int main(void) { subscribe(called); return 0; }
