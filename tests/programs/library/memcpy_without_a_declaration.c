// What is not declared returns an int: the address that memcpy and malloc return is cut off.
extern void __VERIFIER_error(void);
int main(void) { //~ TRUE
    int from = 2, to = 1;
    int kept = memcpy(&to, &from, sizeof to);
    if (to != 2)
        __VERIFIER_error();
    return kept;
}
