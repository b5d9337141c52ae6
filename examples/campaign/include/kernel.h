/* What the drivers use of a kernel. */
#ifndef KERNEL_H
#define KERNEL_H

typedef struct { int opaque; } spinlock_t;

void spin_lock(spinlock_t *lock);
void spin_unlock(spinlock_t *lock);
void msleep(unsigned milliseconds);
void *kmalloc(unsigned long size, int flags);
void kfree(void *memory);

/* The next request, or 0: the device is removed. */
extern int next_request(void);
/* What a register of the device holds. */
extern int read_register(int number);

#endif
