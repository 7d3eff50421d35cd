#!/bin/bash
# Everything that must hold before a release, one after the other, with a table of results and times at the end.
#   tools/verify.sh [PART...]     all parts, or those named: format lint tests long asan tsan fuzz
# Output of each part is in build-verify/PART.log. Ends with 1 if any part failed.
set -u
cd "$(dirname "$0")/.."
mkdir -p build-verify

parts=("$@")
if ((${#parts[@]} == 0)); then parts=(format tests lint long asan tsan fuzz); fi

command_of() {
  case "$1" in
    format) echo "make check-format" ;;
    lint) echo "make lint" ;;
    tests) echo "make test" ;;
    long) echo "make test-long" ;;
    asan) echo "make test-asan" ;;
    tsan) echo "make test-tsan" ;;
    fuzz) echo "make fuzz" ;;
    *) return 1 ;;
  esac
}

for part in "${parts[@]}"; do
  if ! command_of "$part" >/dev/null; then
    echo "verify.sh: no part '$part' (format, lint, tests, long, asan, tsan, fuzz)" >&2
    exit 1
  fi
done

table='' failed=0
for part in "${parts[@]}"; do
  log=build-verify/$part.log
  start=$SECONDS
  echo "$part: $(command_of "$part"), log in $log"
  # shellcheck disable=SC2046  # a command and its words
  if $(command_of "$part") >"$log" 2>&1; then
    result=passed
  else
    result=FAILED failed=1
    tail -n 20 "$log"
  fi
  table+=$(printf '%-8s %-8s %5d s' "$part" "$result" $((SECONDS - start)))$'\n'
done
printf '\n%s%-8s %-8s %5d s\n' "$table" 'in all' "$( ((failed)) && echo FAILED || echo passed)" $SECONDS
exit $failed
