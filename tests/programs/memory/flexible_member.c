// check: --check pointers,bounds
// engines: bounded
// A flexible array member that is given values is part of its object.
extern void reach_error(void);
struct list {
    int count;
    int items[];
};
static struct list first = {3, {2, 3, 4}};
static int behind = 9;
static struct list second = {2, {5, 6}};
int main(void) { //~ TRUE
    struct list *list = &first;
    int sum = 0;
    for (int i = 0; i < list->count; i++)
        sum += list->items[i];
    if (sum != 9 || behind != 9 || second.items[1] != 6)
        return 1;
    return 0;
}
