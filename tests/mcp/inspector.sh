#!/bin/sh
# The inspector in command-line mode, with the Node that it wants: one process a call, each with a Chrome of its own; what
# was stored by one is recovered by another.
set -eu
node=$1/node_modules/.bin/node
inspector=$1/node_modules/.bin/mcp-inspector
page='data:text/html,<title>Pier</title><button>Moor</button><p>Boats lie here, and there, and over there, all day long.</p>'

# Its own files belong into this test's folder.
ask() {
    HOME=$AXPRESS_HOME "$node" "$inspector" --cli -e "AXPRESS_HOME=$AXPRESS_HOME" -e "PATH=$PATH" \
        ${AXPRESS_CHROME:+-e "AXPRESS_CHROME=$AXPRESS_CHROME"} \
        ${AXPRESS_CHROME_ARGS:+-e "AXPRESS_CHROME_ARGS=$AXPRESS_CHROME_ARGS"} \
        "$AXPRESS" mcp --method "$@"
}
has() {
    grep -q -- "$2" "$AXPRESS_HOME/said" || { echo "inspector, $1: no $2 in:" >&2; cat "$AXPRESS_HOME/said" >&2; exit 1; }
}
call() {
    name=$1
    shift
    ask tools/call --tool-name "$name" "$@" > "$AXPRESS_HOME/said" 2>&1 || true
}

ask tools/list --strict > "$AXPRESS_HOME/said"
for tool in snapshot act eval recover screenshot; do has tools/list "browser_$tool"; done
call browser_snapshot --tool-arg "url=$page"
has browser_snapshot 'button Moor @'
handle=$(sed -n 's/.*recover \(ccr_[0-9a-f]*\);.*/\1/p' "$AXPRESS_HOME/said" | head -1)
call browser_recover --tool-arg "recovery_handle=$handle"
has browser_recover 'nodeId'
call browser_eval --tool-arg 'expression=6*7'
has browser_eval 42
call browser_act --tool-arg action=click --tool-arg uid=999999
has browser_act cave_unknown_uid
call browser_screenshot
has browser_screenshot image/png
echo "inspector: 5 tools listed, all called"
