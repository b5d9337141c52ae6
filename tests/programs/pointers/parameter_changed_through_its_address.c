// check proved: -DCHANGED=y
// check wrong: -DCHANGED=x
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);
void redirect(int **to, int **from) { *to = *from; }
void clear(int *first, int *second) { redirect(&first, &second); *first = 0; }
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    clear(&x, &y);
    if (CHANGED != 0) __VERIFIER_error(); //~[proved] TRUE //~[wrong] FALSE
    return 0;
}
