"""The machine of a benchmark, and what processes use of it. Linux only, but for `machine`."""

import os
import platform
from collections.abc import Mapping
from pathlib import Path


def machine() -> str:
    """Describe the processor, as the system names it, and the Python."""
    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [
            line.split(":", 1)[1].strip() for line in info.read_text().splitlines() if line.startswith("model name")
        ]
        cpu = names[0] if names else cpu
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{cpu}, {os.cpu_count()} cores; {python} on {platform.system()}"


def cpu_seconds(pid: int) -> float:
    """Return the CPU time of a process, in user mode and in the kernel."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_bytes(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def child_pids() -> list[int]:
    """Return the child processes of this one, oldest first."""
    me = os.getpid()
    return [int(pid) for pid in Path(f"/proc/{me}/task/{me}/children").read_text().split()]


class CpuMeter:
    """Measures the CPU time of processes from its creation on."""

    def __init__(self, pids: Mapping[str, int]) -> None:
        self._pids = pids
        self._start = self._total()

    def seconds(self) -> dict[str, float]:
        return {name: total - self._start[name] for name, total in self._total().items()}

    def _total(self) -> dict[str, float]:
        return {name: cpu_seconds(pid) for name, pid in self._pids.items()}
