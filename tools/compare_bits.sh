#!/bin/bash
# Do programs that were compiled differently end every built-in scene in the same bits?
#   tools/compare_bits.sh PROGRAM PROGRAM...
# The duration [s] is that of DURATION, 0.2 if not set. Ends with 1 if a state hash differs from the first program's.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

hash_of() {  # program, scene
  setarch --addr-no-randomize "$1" run "$2" --duration "${DURATION:-0.2}" --json -o "$folder/run" |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["state_hash"])'
}

scenes=$("$1" scenes --json |
  python3 -c 'import json, sys; print(*(scene["name"] for scene in json.load(sys.stdin)["scenes"]))')
different=0
for scene in $scenes; do
  first=
  for program in "$@"; do
    hash=$(hash_of "$program" "$scene")
    verdict=same
    if [[ $hash != "${first:=$hash}" ]]; then verdict=DIFFERENT different=1; fi
    printf '%-22s %-24s %s %s\n' "$scene" "$program" "$hash" "$verdict"
  done
done
exit $different
