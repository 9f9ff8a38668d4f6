#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors

# A whole collection on this machine: sotto serve on loopback, simulated washing machines that answer over HTTP, rounds
# that close by themselves, and the model. collection.sh SOTTO DIRECTORY [MACHINES]
set -euo pipefail
sotto=$1 home=$2 machines=${3-2000}
examples=$(dirname "$0")
round_seconds=3

# Says a command as one would type it, and runs it.
run() {
  printf '\n$ sotto %s\n' "$*"
  "$sotto" "$@"
}

mkdir -p "$home"
run study "$examples/laundry.toml" --out "$home/laundry" > "$home/study.txt"
sed -n '1,/^randomizer/p; /^study  *[0-9a-f]\{64\}$/p' "$home/study.txt"
digest=$(sed -n 's/^study  *\([0-9a-f]\{64\}\)$/\1/p' "$home/study.txt")
# Enrolled before the first round opens, because its few seconds begin with the server.
run enrol "$home/laundry" --count "$machines" --out "$home/machines.csv"

serve=(serve "$home/laundry" --data "$home/data" --operator-token-file "$home/operator.token" --deadline "$round_seconds")
printf '\n$ sotto %s &\n' "${serve[*]}"
"$sotto" "${serve[@]}" --listen 127.0.0.1:0 > "$home/serve.log" 2> "$home/listening.txt" &
server=$!
trap 'kill "$server" 2> /dev/null || true' EXIT
until grep -q '^listening on' "$home/listening.txt"; do
  kill -0 "$server" 2> /dev/null || { cat "$home/listening.txt" >&2; exit 1; }
  sleep 0.1
done
cat "$home/listening.txt"
address=$(sed -n 's/^listening on //p' "$home/listening.txt")

run fleet "$address/v1/studies/$digest" --effects "$examples/laundry-energy.csv" --target energy --users "$machines" \
  --samples 40 --credentials "$home/machines.csv"
kill -TERM "$server"
trap - EXIT
wait "$server"

run report "$home/data/${digest:0:16}"
cat << TEXT

The page:    $home/data/${digest:0:16}/report.html
Look again:  $sotto ${serve[*]}
             then open http://127.0.0.1:8080 and log in with the token in $home/operator.token
TEXT
