// check:
extern void reach_error(void);
int main(int argc, char **argv, char **environment) {
    if (environment[0] && environment[0][0] == 'x') //~ UNKNOWN environment
        reach_error(); //~ never TRUE
    return 0;
}
