#!/bin/sh
# Runs a command beside so many loops that keep a processor busy each, as on a machine that others
# use too: build/busy.sh 4 -- mvn verify
# Ends the loops when the command ends, and exits as the command did.
set -u
if [ $# -lt 3 ] || [ "$2" != "--" ]; then
  echo "usage: build/busy.sh LOOPS -- COMMAND..." >&2
  exit 2
fi
left=$1
shift 2
loops=
stop() {
  for loop in $loops; do
    kill "$loop" 2>/dev/null
  done
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
while [ "$left" -gt 0 ]; do
  # A loop whose script was killed ends by itself.
  (while kill -0 $$ 2>/dev/null; do n=0; while [ $n -lt 100000 ]; do n=$((n + 1)); done; done) &
  loops="$loops $!"
  left=$((left - 1))
done
"$@"
