// check: --confirm
extern void reach_error(void);
int main(int argc, char **argv) { //~ note: input argc: 3 //~ note: confirmed by running the compiled program
    if (argc == 3)
        reach_error(); //~ FALSE
    return 0;
}
