typedef struct node { struct node *next; union { float f; unsigned u; } v; unsigned bits : 5, more : 11; } node;
enum color { RED, GREEN = 5 };
_Static_assert(sizeof(enum color) == 4, "int");
static node a = {.v.f = 1.5f}, b = {&a, {2}, 3, 4};
long double mix(double d, long long l, _Bool t) { return d * l + t; }
int main(void)
{
    node copy = b;
    copy.bits += GREEN;
    node *p = &(node){copy.next, .more = 9};
    int n = 3, vla[n + p->more];
    vla[n] = ({ int x = (signed char)300; x ?: 2; });
    return (int)mix(p->next->v.u, vla[n], copy.bits > RED) + __builtin_constant_p(1);
}
