// What the predicates in fuzz/seeds speak of.
enum mode { OFF, ON = 4, BOTH };
struct node {
    int value;
    unsigned flags : 3;
    enum mode mode;
    struct node *next;
};
union word { int whole; char bytes[4]; float number; };
int count, table[8];
struct node *head;
static double ratio;
int search(struct node *from, int wanted, char const *name) {
    int found = 0;
    union word last = {0};
    for (struct node *here = from; here; here = here->next) {
        int inner = here->value;
        last.whole = inner;
        if (inner == wanted && name[0] != 'x')
            found++;
    }
    return found + last.bytes[0];
}
int main(void) { return search(head, count, "none"); }
