"""Run a command with a limit, and nothing of it afterwards; used by the other scripts."""
import contextlib
import os
import signal
import subprocess
import tempfile
import threading


class Result:
    """status is the exit code, minus the signal, or None at the limit; seconds are processor time, also of children."""

    def __init__(self, status, seconds, output, messages):
        self.status, self.seconds, self.output, self.messages = status, seconds, output, messages


def call(command, limit, folder=None, environment=None):
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as messages:
        # A group of its own, so that the children of a compiler driver end with it.
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=messages, cwd=folder,
                                   env={**os.environ, **(environment or {})}, start_new_session=True)
        late = threading.Event()

        def end():
            late.set()
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)

        alarm = threading.Timer(limit, end)
        alarm.start()
        _, status, usage = os.wait4(process.pid, 0)
        alarm.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        messages.seek(0)
        return Result(None if late.is_set() else process.returncode, usage.ru_utime + usage.ru_stime, output.read(),
                      messages.read().decode("utf8", "replace"))
