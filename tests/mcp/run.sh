#!/bin/sh
# The official clients, from their registries, against the program that was built: each lists the tools and calls all
# of them, in both eras of the protocol where it speaks both. Needs a Chromium, python3 with venv, and npm.
#
# AXPRESS       the program; target/debug/axpress where it is not set
# MCP_CLIENTS   where the clients are installed, to be used again
set -eu
here=$(cd "$(dirname "$0")" && pwd)
AXPRESS=${AXPRESS:-${CARGO_TARGET_DIR:-$here/../../target}/debug/axpress}
clients=${MCP_CLIENTS:-${CARGO_TARGET_DIR:-$here/../../target}/mcp-clients}
AXPRESS_HOME=$(mktemp -d)
export AXPRESS AXPRESS_HOME
trap 'rm -rf "$AXPRESS_HOME"' EXIT

mkdir -p "$clients"
cp "$here/package.json" "$here/client.mjs" "$here/sdk1.mjs" "$here/journey.mjs" "$clients"
(cd "$clients" && npm install --silent --no-audit --no-fund)
test -x "$clients/venv/bin/python3" || python3 -m venv "$clients/venv"
"$clients/venv/bin/python3" -m pip install --quiet --disable-pip-version-check -r "$here/requirements.txt"

for era in legacy auto 2026-07-28; do
    "$clients/venv/bin/python3" "$here/client.py" "$era"
    (cd "$clients" && node client.mjs "$era")
done
(cd "$clients" && node sdk1.mjs)
"$here/inspector.sh" "$clients"
