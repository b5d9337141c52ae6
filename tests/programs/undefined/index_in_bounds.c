// check: --check bounds
// engines: induction
extern int nondet(void);
extern unsigned char byte(void);
int table[1000], counts[256];
struct Text { int length; char bytes[1]; };
int main(void) { //~ TRUE
    counts[byte()]++;
    int i = nondet();
    int found = i >= 0 && i < 1000 && table[i] == 3;
    return found ? table[i & 511] : i > 5 && i < 10 ? counts[i] : 0;
}
