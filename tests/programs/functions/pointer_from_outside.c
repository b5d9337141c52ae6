// check anywhere: -DCALLED=nondet()
// check nowhere: -DCALLED=x==2
extern void reach_error(void);
extern int nondet(void);
extern void (*handler)(void);
int main(void) {
    int x = 1;
    if (CALLED) handler(); //~[anywhere] UNKNOWN a call through a pointer that may lead to a function that is not known at
    //~^[anywhere] never TRUE //~^[nowhere] TRUE
    if (x != 1) reach_error();
    return 0;
}
