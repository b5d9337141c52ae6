// check same: -DSAME
// check some: -DSOME
// engines: bounded
// It is the same number whenever it is asked for in one run; which one is not known.
extern void reach_error(void);
extern int getpid(void);
int main(void) {
#ifdef SAME
    if (getpid() != getpid()) reach_error(); //~[same] never FALSE //~[same] UNKNOWN needs `getpid` to return different values
#else
    if (getpid() == 77) reach_error(); //~[some] FALSE
#endif
    return 0;
}
