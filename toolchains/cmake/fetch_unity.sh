#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors

# fetch_unity.sh DIRECTORY: puts Unity's sources, from the source package of cJSON, into DIRECTORY.
#
# Uses the archives that this system's apt already trusts, asked for source packages instead of binary ones. Lists, cache
# and source entries are private copies in a temporary directory: the system's apt configuration is read, never changed,
# and root is not needed.
set -eu

target=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/sources" "$work/package"

number=0
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
  [ -f "$file" ] || continue
  number=$((number + 1))
  sed -nE 's/^[[:space:]]*deb([[:space:]])/deb-src\1/p' "$file" > "$work/sources/$number.list"
done
for file in /etc/apt/sources.list.d/*.sources; do
  [ -f "$file" ] || continue
  number=$((number + 1))
  sed -E 's/^Types:.*/Types: deb-src/' "$file" > "$work/sources/$number.sources"
done

private_apt() {
  apt-get -q \
    -o Dir::State::Lists="$work/lists" -o Dir::Cache="$work/cache" \
    -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$work/sources" \
    -o APT::Sandbox::User=root "$@"
}
private_apt update || echo "some archives have no source packages; going on with the others"
cd "$work/package"
private_apt source --download-only cjson
tar -xf cjson_*.orig.tar.*

# Unity includes ../examples/unity_config.h: the two directories stay side by side.
unity=$(find . -type d -path '*/tests/unity' | head -n 1)
test -f "$unity/src/unity.c"
staging=$target.$$
mkdir -p "$staging"
cp -R "$unity/src" "$unity/docs" "$staging/"
if [ -f "$unity/examples/unity_config.h" ]; then
  mkdir -p "$staging/examples"
  cp "$unity/examples/unity_config.h" "$staging/examples/"
fi
# A concurrent build may have put them there first.
mv -T "$staging" "$target" 2>/dev/null || rm -rf "$staging"
test -f "$target/src/unity.c"
