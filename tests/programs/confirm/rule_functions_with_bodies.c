// check: --rule spin-lock --confirm
// The rule sees calls of functions that the program defines: static, inline, through a pointer.
typedef struct { int held; } spinlock_t;
extern int __VERIFIER_nondet_int(void);
static inline __attribute__((always_inline)) void spin_lock(spinlock_t *lock) { lock->held = 1; }
static void spin_unlock(spinlock_t *lock) { lock->held = 0; }
static spinlock_t first, second;
int main(void) {
    void (*acquire)(spinlock_t *) = spin_lock;
    spin_lock(&first);
    acquire(__VERIFIER_nondet_int() == 7 ? &first : &second); //~ FALSE spin-lock //~ note: confirmed by running the compiled program
    spin_unlock(&second);
    spin_unlock(&first);
    return 0;
}
