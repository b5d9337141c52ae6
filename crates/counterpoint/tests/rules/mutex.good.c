struct mutex { int x; };
void mutex_lock(struct mutex *), mutex_unlock(struct mutex *); int __VERIFIER_nondet_int(void);
struct mutex m;
int main(void) {
    mutex_lock(&m);
    if (__VERIFIER_nondet_int()) { mutex_unlock(&m); return 1; }
    mutex_unlock(&m);
    return 0;
}
