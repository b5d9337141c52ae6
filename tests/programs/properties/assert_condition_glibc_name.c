// run executed:
// check compiled: --confirm
extern void __assert(int condition);
int main(void) { //~[compiled] note: confirmed by
    int x = 1;
    __assert(x == 1);
    __assert(x == 2); //~[compiled] FALSE: assertion `x == 2` //~[executed] error: assertion failed: x == 2
    return 0;
}
