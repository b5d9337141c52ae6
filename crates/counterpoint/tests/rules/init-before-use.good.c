typedef struct { int x; } sem_t;
int sem_init(sem_t *, int, unsigned); int sem_wait(sem_t *); int sem_destroy(sem_t *);
int main(void) {
    sem_t s;
    if (sem_init(&s, 0, 1)) return 1;
    sem_wait(&s);
    return 0;
}
