"""Runs a command in a terminal of its own. Standard input is what is typed; where that ends, the terminal is closed."""

import os
import pty
import select
import sys

CHUNK = 65_536

pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])

while True:
    readable, _, _ = select.select([terminal, 0], [], [])
    if terminal in readable:
        try:
            shown = os.read(terminal, CHUNK)
        except OSError:  # No program has it open any more.
            break
        os.write(1, shown)
    if 0 in readable:
        typed = os.read(0, CHUNK)
        if typed == b"":
            break
        os.write(terminal, typed)

os.close(terminal)
_, status = os.waitpid(pid, 0)
sys.exit(os.waitstatus_to_exitcode(status) & 0xFF)
