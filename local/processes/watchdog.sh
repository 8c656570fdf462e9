#!/bin/sh
# Ends the programs noted in the folder "$1" when the parent dies, however it dies: the kernel then closes its end of
# our standard input. Signals meant for the parent's group must not end the watchdog first.
trap '' INT TERM HUP
cat > /dev/null
for file in "$1"/*; do
  [ -f "$file" ] && kill -9 "$(cat "$file")" 2> /dev/null
done
rm -rf "$1"
