"""BenchExec's way to call Counterpoint and to read its answers; see ../README.md."""
import re

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.sv_benchmarks_util import (
    ILP32,
    LP64,
    TaskFilesConsidered,
    get_data_model_from_task,
    handle_witness_of_task,
)

VERDICT = re.compile(r"^Verification result: (TRUE|FALSE|UNKNOWN)(?:\((.*)\))?$")
# Properties by the names that BenchExec knows.
VIOLATED = {
    "unreach-call": result.RESULT_FALSE_REACH,
    "no-overflow": result.RESULT_FALSE_OVERFLOW,
}
# What ends a check without an answer.
ENDED = {"out of time": "TIMEOUT", "out of memory": "OUT OF MEMORY"}


class Tool(benchexec.tools.template.BaseTool2):
    """
    Tool info for Counterpoint, a software model checker for C.
    Tasks with a witness are validated, all others are checked. Time and memory limits are passed on, so that the tool ends by itself.
    """

    REQUIRED_PATHS = ["bin", "lib", "share"]

    def name(self):
        return "Counterpoint"

    def executable(self, tool_locator):
        return tool_locator.find_executable("counterpoint", subdir="bin")

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="counterpoint")

    def program_files(self, executable):
        return self._program_files_from_executable(executable, self.REQUIRED_PATHS, parent_dir=True)

    def cmdline(self, executable, options, task, rlimits):
        files, witness = handle_witness_of_task(
            task, options, "--witness", TaskFilesConsidered.INPUT_FILES
        )
        command = [executable, "validate" if witness else "check"]
        options = list(options) + witness
        if task.property_file:
            options += ["--property", task.property_file]
        model = get_data_model_from_task(task, {ILP32: "--32", LP64: "--64"})
        if model and not {"--32", "--64"} & set(options):
            options.append(model)
        if rlimits.cputime and "--time-limit" not in options:
            options += ["--time-limit", f"{rlimits.cputime}s"]
        if rlimits.memory and "--memory-limit" not in options:
            # A part is left for what the limit does not count.
            options += ["--memory-limit", f"{rlimits.memory * 9 // 10 >> 20}MiB"]
        return command + options + ["--no-progress", *files]

    def determine_result(self, run):
        verdicts = [match for match in map(VERDICT.match, run.output) if match]
        if not verdicts:
            error = next((line for line in run.output if "error: " in line), None)
            return f"ERROR ({error.split('error: ')[-1]})" if error else result.RESULT_ERROR
        verdict, said = verdicts[-1].groups()
        if verdict == "TRUE":
            return result.RESULT_TRUE_PROP
        if verdict == "FALSE":
            return VIOLATED.get(said, f"{result.RESULT_FALSE_PROP}({said})")
        return ENDED.get(said, result.RESULT_UNKNOWN)

    def get_value_from_output(self, output, identifier):
        """A number of the line that an answer without a verdict ends with: `iterations` or `predicates`."""
        for line in output:
            found = re.search(rf"(\d+) {re.escape(identifier)}\b", line)
            if found and line.startswith("ended while"):
                return found.group(1)
        return None
