// check: --rule irp-completion --confirm
int __VERIFIER_nondet_int(void);
typedef struct { int status; } IRP;
void IofCompleteRequest(IRP *irp, char boost);
int IofCallDriver(void *device, IRP *irp);
void IoMarkIrpPending(IRP *irp);

int main(void) {
    IRP irp, other;
    switch (__VERIFIER_nondet_int()) {
    case 0:
        IofCompleteRequest(&irp, 0);
        IofCompleteRequest(&other, 0);
        IofCompleteRequest(&irp, 0); //~ FALSE irp-completion: the request is completed twice
        break;
    case 1:
        IofCallDriver(0, &irp);
        IofCompleteRequest(&irp, 0); //~ FALSE irp-completion: the request is completed after it was passed on
        break;
    case 2:
        IofCompleteRequest(&irp, 0);
        IofCallDriver(0, &irp); //~ FALSE irp-completion: the request is passed on after it was completed
        break;
    case 3:
        IofCallDriver(0, &irp);
        IofCallDriver(0, &irp); //~ FALSE irp-completion: the request is passed on twice
        break;
    case 4:
        IofCompleteRequest(&irp, 0);
        IoMarkIrpPending(&irp); //~ FALSE irp-completion: the request is used after it was completed
        break;
    case 5:
        IofCallDriver(0, &irp);
        IoMarkIrpPending(&irp); //~ FALSE irp-completion: the request is used after it was passed on
        break;
    }
    return 0;
}
//~ note: confirmed by running the compiled program
