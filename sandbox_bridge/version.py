"""Which bridge this is: a paused sandbox wakes up with the one it fell asleep with."""

VERSION = "0.1.0"
