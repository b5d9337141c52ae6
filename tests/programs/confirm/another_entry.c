// check: --entry start --arguments any --confirm
void reach_error(void);
int start(int x, char y) {
    if (x == 70000 && y == -3) reach_error(); //~ FALSE //~ note: confirmed by running the compiled program
    return 0;
}
