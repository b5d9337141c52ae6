// check: --rule irp-completion --external pure
typedef struct { int status; } IRP;
void IofCompleteRequest(IRP *irp, char boost);
int IofCallDriver(void *device, IRP *irp);
void IoMarkIrpPending(IRP *irp);
IRP *IoAllocateIrp(char size, char quota);
void IoFreeIrp(IRP *irp);
void IoSetCompletionRoutine(IRP *irp, void *routine, void *context, int success, int error, int cancel);

static int dispatch(IRP *irp, int ours) {
    if (ours) {
        IoMarkIrpPending(irp);
        IofCompleteRequest(irp, 0);
        return 0;
    }
    return IofCallDriver(0, irp);
}

int main(void) { //~ TRUE
    IRP first, second, third;
    dispatch(&first, 1);
    dispatch(&second, 0);
    IoFreeIrp(&first);
    dispatch(&first, 0);
    IoSetCompletionRoutine(&third, 0, 0, 1, 1, 1);
    IofCallDriver(0, &third);
    IofCompleteRequest(&third, 0);
    return 0;
}
