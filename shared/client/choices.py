"""What may be chosen about sandboxes: the words of the command line, and whose they are."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Choice:
    name: str
    """As the option has it, without its dashes."""
    field: str
    """Of the domain, and of the parsed arguments."""
    wire: str
    metavar: str
    words: str


CHOICES = (
    Choice(
        "session-timeout", "lifetime", "lifetime_seconds", "TIME", "how long a sandbox may live: 2h"
    ),
    Choice(
        "final-buffer",
        "final_buffer",
        "final_buffer_seconds",
        "TIME",
        "at the end of that, to stop the work and save it: 10m",
    ),
    Choice(
        "inactivity",
        "inactivity",
        "inactivity_seconds",
        "TIME",
        "after how long without work it is put away: 10m",
    ),
    Choice(
        "tunnel-ports",
        "tunnel_ports",
        "tunnel_ports",
        "PORTS",
        "what of it is reachable from outside: 3000,8000, or none",
    ),
    Choice("cpu", "cpu_cores", "cpu_cores", "CORES", "2"),
    Choice("memory", "memory_mib", "memory_mib", "MIB", "4096"),
)

ALL = "all"
