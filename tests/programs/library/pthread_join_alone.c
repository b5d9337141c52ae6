// check:
extern void reach_error(void);
extern int pthread_join(unsigned long, void **);
int main(void) { void *r = 0; pthread_join(1, &r); if (r != 0) reach_error(); //~ never TRUE
    return 0; }
