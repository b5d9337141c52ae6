// check: --64 --rule irp-completion
typedef struct IRP { int status; } *PIRP;
typedef struct DEVICE *PDEVICE;
extern void IoCompleteRequest(PIRP irp, char boost);
extern int IoCallDriver(PDEVICE device, PIRP irp);
static struct IRP request;
extern int retry(void);
int main(void) { //~ TRUE
    while (retry())
        request.status++;
    IoCallDriver(0, &request);
    return 0;
}
