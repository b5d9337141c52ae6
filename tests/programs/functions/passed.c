// check reached: -DWANTED=1
// check proved: -DWANTED=2
extern void reach_error(void);
void call(void g(int)) { g(1); }
void h(int i) { if (i == WANTED) reach_error(); } //~[reached] FALSE //~[proved] TRUE
int main(void) { call(h); return 0; }
