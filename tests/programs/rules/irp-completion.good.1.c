// check: --64 --rule irp-completion
typedef struct IRP { int status; } *PIRP;
typedef struct DEVICE *PDEVICE;
extern void IoCompleteRequest(PIRP irp, char boost);
extern int IoCallDriver(PDEVICE device, PIRP irp);
static struct IRP request;
extern int supported(void);
static int dispatch(PDEVICE device, PIRP irp) {
    if (!supported()) {
        IoCompleteRequest(irp, 0);
        return -1;
    }
    return IoCallDriver(device, irp);
}
int main(void) { //~ TRUE
    return dispatch(0, &request);
}
