#!/usr/bin/env bash
# Builds the npm package in wasm/package, and puts a copy into the extension. Installs what is missing.
#
# The compiler is the first that this machine has of
#   rustup   the toolchain of this checkout with the target: rustup target add wasm32-unknown-unknown
#   debian   Debian's rustc-web, cargo-web and rust-web-src, which apt-get installs: what is published, and what the sizes
#            are of
# or the one in AXPRESS_WASM_PATH. Each has a target folder of its own. Where the standard library's source is there too
# (rustup component add rust-src), it is built in its small form.
set -euo pipefail
cd "$(dirname "$0")"
target=wasm32-unknown-unknown
folder=${CARGO_TARGET_DIR:-$PWD/../target}
package=$PWD/package

say() { echo "wasm: $*" >&2; }

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

apt_install() {
    as_root apt-get update -qq
    DEBIAN_FRONTEND=noninteractive as_root apt-get install -y -qq --no-install-recommends "$@" >&2
}

# Asks rustc itself, so that any distribution's compiler that has the target will do.
has_target() {
    local library
    library=$(rustc --print sysroot 2>/dev/null)/lib/rustlib/$target/lib
    [ -n "$(find "$library" -maxdepth 1 -name 'libstd-*.rlib' 2>/dev/null)" ]
}

has_source() {
    [ -f "$(rustc --print sysroot)/lib/rustlib/src/rust/library/Cargo.lock" ]
}

missing=()
command -v cc >/dev/null || missing+=(build-essential)
command -v node >/dev/null || missing+=(nodejs)
command -v npm >/dev/null || missing+=(npm)
path=${AXPRESS_WASM_PATH:-}
if [ -z "$path" ]; then
    if has_target; then path=rustup; else path=debian; fi
fi
if [ "$path" = debian ]; then
    for program in rustc-web cargo-web rust-web-src lld-19; do
        dpkg -s "$program" >/dev/null 2>&1 || missing+=("$program")
    done
fi
if [ ${#missing[@]} -gt 0 ]; then
    say "installing ${missing[*]}"
    apt_install "${missing[@]}"
fi
say "compiler: $path"

# A lock file names what is installed here; it is installed again when the lock file is newer.
if [ package-lock.json -nt node_modules/.package-lock.json ]; then
    npm ci --no-audit --no-fund --silent
fi

standard=(-Zbuild-std=std,panic_abort -Zbuild-std-features=optimize_for_size)
small="-Zlocation-detail=none -Zunstable-options -Cpanic=immediate-abort"
if [ "$path" = debian ]; then
    # /usr/bin says it: rustup's programs come first on PATH, and cargo would run rustup's compiler.
    host=(env -u RUSTUP_TOOLCHAIN RUSTC=/usr/bin/rustc RUSTDOC=/usr/bin/rustdoc /usr/bin/cargo)
    command -v rustc >/dev/null && host=(cargo)
    cargo=(env -u RUSTUP_TOOLCHAIN RUSTC_BOOTSTRAP=1 RUSTC=/usr/bin/rustc
        CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=/usr/bin/wasm-ld-19 /usr/bin/cargo)
else
    host=(cargo)
    cargo=(env RUSTC_BOOTSTRAP=1 cargo)
    has_source || { cargo=(cargo); standard=(); small=; }
fi

# The program that makes the glue: this machine's own.
CARGO_TARGET_DIR=$folder/wasm-bindgen "${host[@]}" build --quiet --locked --manifest-path bindgen/Cargo.toml
bindgen=$folder/wasm-bindgen/debug/axpress-wasm-bindgen

# Debian 12's own wasm-opt, 108, breaks the table of references without a word.
wasm_opt=node_modules/binaryen/bin/wasm-opt
version=$("$wasm_opt" --version | grep -oE '[0-9]+' | head -1)
[ "$version" -ge 116 ] || { say "wasm-opt $version is too old: 116 or later is needed"; exit 1; }

# build NAME FEATURES INLINING: one build, as NAME.wasm and glue.js in a folder of its own.
build() {
    local name=$1 features=$2 inlining=$3 out=$folder/wasm-package/$1
    mkdir -p "$out"
    # No path of this machine is in the file. The flags are the target's alone: build scripts are the host's. After `--`
    # come those of the last step, which makes all code: loops keep the shape that they are written in, which is
    # shorter; the stack stands before the data, so that a smaller one makes all addresses of these shorter. 2 KB of it
    # are used.
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="$small $features --cfg sha2_backend_soft=\"compact\" \
--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo --remap-path-prefix=$(dirname "$PWD")=/axpress" \
        CARGO_TARGET_DIR=$folder/wasm-$path/$name \
        "${cargo[@]}" rustc --quiet --locked --profile release-wasm --target $target "${standard[@]}" \
        -p axpress-wasm --crate-type cdylib -- -Cllvm-args=-disable-lsr $inlining \
        -Clink-arg=-zstack-size=65536
    "$bindgen" "$folder/wasm-$path/$name/$target/release-wasm/axpress_wasm.wasm" "$out" glue
    # Functions with one caller stay by themselves, and what is computed twice stays so: both pack better.
    "$wasm_opt" -Oz -Oz --one-caller-inline-max-function-size=0 --skip-pass=local-cse --enable-bulk-memory \
        --enable-bulk-memory-opt --enable-sign-ext --enable-mutable-globals --enable-nontrapping-float-to-int \
        --enable-reference-types --enable-multivalue --enable-simd "$out/glue_bg.wasm" -o "$out/$name.wasm"
}

# Engines without SIMD are old, and get what loads soonest; the others get what is fast too: small functions are where
# they are called.
build axpress "" ""
build axpress-simd -Ctarget-feature=+simd128 -Cllvm-args=-inline-threshold=60
if ! cmp -s "$folder/wasm-package/axpress/glue.js" "$folder/wasm-package/axpress-simd/glue.js"; then
    say "the two builds need glue of their own, and the package has one"
    exit 1
fi

cp "$folder/wasm-package/axpress/glue.js" "$folder/wasm-package/axpress/axpress.wasm" \
    "$folder/wasm-package/axpress-simd/axpress-simd.wasm" ../LICENSE-APACHE ../LICENSE-MIT "$package/"
echo "$path" >"$folder/wasm-package/path"
mkdir -p extension/axpress
cp "$package"/*.js "$package"/*.wasm extension/axpress/
rm -f extension/axpress/node.js
for file in axpress axpress-simd; do
    say "$file.wasm: $(stat -c %s "$package/$file.wasm") bytes, $(gzip -9c "$package/$file.wasm" | wc -c) gzipped"
done
