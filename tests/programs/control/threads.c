// check:
int pthread_create(long *, void *, void *(*)(void *), void *);
void reach_error(void);
static void *work(void *p) { return p; }
int main(void) {
    long t;
    pthread_create(&t, 0, work, 0); //~ UNKNOWN threads (pthread_create) at //~ never TRUE
    if (t == 3) reach_error();
    return 0;
}
