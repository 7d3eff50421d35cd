#!/bin/bash
# Everything that must hold before a release, one after the other, with a table of results and times at the end.
#   tools/verify.sh [PART...]     all parts, or those named: format lint tests long asan tsan bits fuzz
# The table has the seconds that went by and those that processors worked: on a busy machine only the latter compare.
# Output of each part is in build-verify/PART.log. Ends with 1 if any part failed.
set -u
cd "$(dirname "$0")/.."
mkdir -p build-verify

parts=("$@")
if ((${#parts[@]} == 0)); then parts=(format tests lint long asan tsan bits fuzz); fi

command_of() {
  case "$1" in
    format) echo "make check-format" ;;
    lint) echo "make lint" ;;
    tests) echo "make test" ;;
    long) echo "make test-long" ;;
    asan) echo "make test-asan" ;;
    tsan) echo "make test-tsan" ;;
    bits) echo "tools/compare_bits.sh build/grouser build-asan/grouser build-tsan/grouser" ;;
    fuzz) echo "make fuzz" ;;
    *) return 1 ;;
  esac
}

for part in "${parts[@]}"; do
  if ! command_of "$part" >/dev/null; then
    echo "verify.sh: no part '$part' (format, lint, tests, long, asan, tsan, bits, fuzz)" >&2
    exit 1
  fi
done

TIMEFORMAT='%0R %0U %0S'  # whole seconds: gone by, worked by the command, by the system for it
table='' failed=0 all_worked=0
for part in "${parts[@]}"; do
  log=build-verify/$part.log
  echo "$part: $(command_of "$part"), log in $log"
  # shellcheck disable=SC2046,SC2091  # a command and its words
  if { time $(command_of "$part") >"$log" 2>&1; } 2>"build-verify/$part.time"; then
    result=passed
  else
    result=FAILED failed=1
    tail -n 20 "$log"
  fi
  read -r gone_by user system <"build-verify/$part.time"
  worked=$((user + system)) all_worked=$((all_worked + worked))
  table+=$(printf '%-8s %-8s %5d s %7d s of CPU' "$part" "$result" "$gone_by" "$worked")$'\n'
done
printf '\n%s%-8s %-8s %5d s %7d s of CPU\n' "$table" 'in all' "$( ((failed)) && echo FAILED || echo passed)" \
  $SECONDS "$all_worked"
exit $failed
