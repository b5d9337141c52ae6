typedef struct { int status; } IRP;
void IofCompleteRequest(IRP *irp, char boost);
int IofCallDriver(void *device, IRP *irp);
void IoMarkIrpPending(IRP *irp);
IRP *IoAllocateIrp(char size, char quota);
void IoFreeIrp(IRP *irp);

static int dispatch(IRP *irp, int ours) {
    if (ours) {
        IoMarkIrpPending(irp);
        IofCompleteRequest(irp, 0);
        return 0;
    }
    return IofCallDriver(0, irp);
}

int main(void) {
    IRP first, second;
    dispatch(&first, 1);
    dispatch(&second, 0);
    IoFreeIrp(&first);
    dispatch(&first, 0);
    return 0;
}
