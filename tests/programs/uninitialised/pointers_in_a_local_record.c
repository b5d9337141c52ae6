// check:
extern void reach_error(void);
struct d { int *e; int *all[4]; };
static void enter(struct d *d) {
    *d->e = 3; //~ note: the run reads memory that was never initialised:
    if (*d->all[1] == 5) reach_error(); //~ FALSE
}
int main(void) {
    struct d d;
    enter(&d);
    return 0;
}
