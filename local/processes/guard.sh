#!/bin/sh
# Becomes "$GUARD_PROGRAM" (same process id), after noting that id where watchdog.sh looks for it.
# Ctrl-C reaches the whole foreground group: only the parent acts on it, so its children ignore it.
trap '' INT HUP
echo "$$" > "$GUARD_PID_FILE" || exit 1
# The parent may have died since it started us; then nobody else would ever end this process.
[ "$PPID" = "$GUARD_PARENT" ] || exit 1
exec "$GUARD_PROGRAM" "$@"
