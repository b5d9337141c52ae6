// check: --64 --rule irp-completion
typedef struct IRP { int status; } *PIRP;
typedef struct DEVICE *PDEVICE;
extern void IoCompleteRequest(PIRP irp, char boost);
extern int IoCallDriver(PDEVICE device, PIRP irp);
static struct IRP request;
extern int failed(void);
static void fail(PIRP irp) {
    irp->status = -1;
    IoCompleteRequest(irp, 0);
}
int main(void) {
    if (failed())
        fail(&request);
    IoCompleteRequest(&request, 0); //~ FALSE irp-completion
    return 0;
}
