// check: --check all --64
// engines: slam bounded
int table[1000];
int main(void) { //~ TRUE
    for (int i = 0; i < 1000; i++)
        table[i] = i;
    return 0;
}
