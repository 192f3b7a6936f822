#!/bin/sh
# Instructions a byte of one stage: the difference of a run of 5 calls and one of 2, so that start-up and the first
# call's memory don't count. Usage: counted.sh STAGE FILE...
set -eu
stage=$1
shift
target=${CARGO_TARGET_DIR:-$(dirname "$0")/../target}
program=$target/release/counted
[ -x "$program" ] || { echo "build it first: cargo build --release -p axpress-benches" >&2; exit 1; }

count() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" "$stage" "$1" "$2" 2>&1 |
        sed -n 's/.*Collected : //p'
}

for file in "$@"; do
    bytes=$(wc -c < "$file")
    five=$(count "$file" 5)
    two=$(count "$file" 2)
    echo "$five $two $bytes $file" | awk '{ printf "%6.2f instructions a byte  %10d bytes  %s\n", ($1 - $2) / 3 / $3, $3, $4 }'
done
