/* Semaphores of a small real-time kernel: a call that finds the wrong kind of event leaves the critical section but goes on. */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

enum { TYPE_NONE, TYPE_SEM, TYPE_MBOX, TYPE_QUEUE };
enum { NO_ERR, ERR_TYPE, ERR_PEND_ISR, TIMEOUT };

struct event {
    int type;
    int count;
    int waiting;
};

int critical;
int nesting;
int switches;
struct event events[3];

void enter_critical(void)
{
    assert(critical == 0);
    critical = 1;
}

void exit_critical(void)
{
    assert(critical == 1);
    critical = 0;
}

void schedule(void)
{
    enter_critical();
    if (nesting == 0)
        switches = switches + 1;
    exit_critical();
}

int sem_accept(struct event *event)
{
    int count;
    enter_critical();
    if (event->type != TYPE_SEM) {
        exit_critical();
        return 0;
    }
    count = event->count;
    if (count > 0)
        event->count = event->count - 1;
    exit_critical();
    return count;
}

int sem_post(struct event *event)
{
    enter_critical();
    if (event->type != TYPE_SEM) {
        exit_critical();
        return ERR_TYPE;
    }
    if (event->waiting > 0) {
        event->waiting = event->waiting - 1;
        exit_critical();
        schedule();
        return NO_ERR;
    }
    event->count = event->count + 1;
    exit_critical();
    return NO_ERR;
}

void sem_pend(struct event *event, int timeout, int *error)
{
    enter_critical();
    if (event->type != TYPE_SEM) {
        exit_critical();
        *error = ERR_TYPE;
    }
    if (event->count > 0) {
        event->count = event->count - 1;
        exit_critical();
        *error = NO_ERR;
    } else if (nesting > 0) {
        exit_critical();
        *error = ERR_PEND_ISR;
    } else {
        event->waiting = event->waiting + 1;
        exit_critical();
        schedule();
        enter_critical();
        if (timeout > 0) {
            event->waiting = event->waiting - 1;
            *error = TIMEOUT;
        } else {
            *error = NO_ERR;
        }
        exit_critical();
    }
}

int mbox_post(struct event *event, int message)
{
    enter_critical();
    if (event->type != TYPE_MBOX) {
        exit_critical();
        return ERR_TYPE;
    }
    if (event->count == 0)
        event->count = message;
    exit_critical();
    return NO_ERR;
}

int main(void)
{
    int error = NO_ERR;
    int sum = 0;
    int which = __VERIFIER_nondet_int();
    int timeout = __VERIFIER_nondet_int();
    if (which < 0 || which > 2)
        return 0;
    events[0].type = TYPE_SEM;
    events[0].count = 1;
    events[1].type = TYPE_MBOX;
    events[2].type = TYPE_QUEUE;
    sum = sum + sem_post(&events[0]);
    sum = sum + mbox_post(&events[1], 7);
    sum = sum + sem_accept(&events[0]);
    sem_pend(&events[which], timeout, &error);
    sum = sum + error;
    schedule();
    return 0;
}
