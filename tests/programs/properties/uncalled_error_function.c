// check function: --error-function panic
// check functions: --error-function panic --error-function oops
void panic(void) {}
int main(void) { //~[function] note: warning: unreach-call: nothing calls `panic` //~[function] TRUE
//~^[functions] error: there is nothing to check: unreach-call: nothing calls `oops`
    return 0;
}
