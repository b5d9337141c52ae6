struct irp { int x; };
void IofCompleteRequest(struct irp *, int); int __VERIFIER_nondet_int(void);
int main(void) {
    struct irp irp;
    if (__VERIFIER_nondet_int()) { IofCompleteRequest(&irp, 0); return 0; }
    IofCompleteRequest(&irp, 1);
    return 0;
}
