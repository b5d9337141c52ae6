// check plain:
// check label: --error-label ERROR
// check function: --error-function panic
// check rule: --rule spin-lock
int main(void) { //~[plain] error: there is nothing to check: no assertion and no call of an error function such as `reach_error`
//~^[label] error: there is nothing to check: unreach-label: the program has no label `ERROR` that control can reach
//~^^[function] error: there is nothing to check: unreach-call: nothing calls `panic`
//~^^^[rule] error: there is nothing to check: spin-lock: nothing that runs calls `spin_lock`, `spin_lock_irq`, `spin_lock_bh` or any other of its 37 functions
    int x = 1;
    return x - 1;
}
