// check: --error-label ERROR
int main(void) { //~ note: warning: unreach-label: the program has no label `ERROR` that control can reach //~ TRUE
    return 0;
ERROR:
    return 1;
}
