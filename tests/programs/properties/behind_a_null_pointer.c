// check ends:
// check goes_on: --undefined-goes-on
// Every way to the error leads through a null pointer. Whether a run gets past it is a question of what is assumed.
extern void reach_error(void);
struct device {
    int state;
};
static struct device *device;
int main(void) { //~[ends] TRUE //~[goes_on] UNKNOWN relies on that a run ends //~[goes_on] never TRUE //~[goes_on] never FALSE
    int state = device->state; //~[ends] note: the proof relies on that at
    if (state != 1)
        reach_error();
    return 0;
}
