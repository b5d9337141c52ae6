// check proved: -DOTHER=**from!=2
// check wrong: -DOTHER=*q!=1
extern void __VERIFIER_error(void);
int x, y, *p = &x, *q = &y, **to = &p, **from = &q;
void join(void) { *to = *from; from = to; }
int main(void) {
    join();
    x = 1;
    y = 2;
    if (*p != 2 || OTHER) __VERIFIER_error(); //~[proved] TRUE //~[wrong] FALSE
    return 0;
}
