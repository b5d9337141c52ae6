/* Two tasks in turn with a mutex that counts its owners. */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int owner;
int depth;
int waiting;

int try_take(int task)
{
    if (owner != 0 && owner != task) {
        waiting = task;
        return 0;
    }
    owner = task;
    depth = depth + 1;
    return 1;
}

void give(int task)
{
    assert(owner == task);
    depth = depth - 1;
    if (depth == 0)
        owner = 0;
}

void first(int work)
{
    if (!try_take(1))
        return;
    if (work > 10)
        waiting = 0;
    give(1);
}

void second(int work)
{
    int got = try_take(2);
    if (!got)
        return;
    if (work < 0)
        waiting = 2;
    waiting = 0;
    give(2);
}

int main(void)
{
    int turn = 0;
    while (turn < 4) {
        int work = __VERIFIER_nondet_int();
        if (turn % 2 == 0)
            first(work);
        else
            second(work);
        turn = turn + 1;
    }
    return 0;
}
