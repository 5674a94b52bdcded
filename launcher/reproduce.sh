#!/usr/bin/env bash
# Builds one commit twice, in two folders of different names, and compares the jars byte for byte.
#
#   launcher/reproduce.sh [MODULES]     such as core,studies; the modules of the program by default
#
# Uncommitted changes are not part of it. NGD_MAVEN_ARGS goes to Maven, such as -o.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
. "$root/launcher/jdk.sh"
find_jdk reproduce
modules=${1:-core,sources,studies,peer,app}
commit=$(git -C "$root" rev-parse HEAD)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for copy in first second-one; do
  mkdir "$work/$copy"
  git -C "$root" archive "$commit" | tar -x -C "$work/$copy"
  # Whatever depends on the hour, the zone or the language would show.
  [[ $copy == first ]] && zone=Pacific/Auckland language=C.UTF-8 || zone=America/Lima language=de_DE.UTF-8
  (
    root=$work/$copy
    cd "$root"
    export TZ=$zone LANG=$language LC_ALL=$language
    find_maven reproduce
    run_maven -q -P '!format' -Dmaven.test.skip=true -DskipTests -pl "$modules" -am package
  ) >"$work/$copy.log" 2>&1 || {
    cat "$work/$copy.log" >&2
    exit 1
  }
  (cd "$work/$copy" && find . -path '*/target/ngd-*.jar' -exec sha256sum {} + | sort -k 2) >"$work/$copy.sums"
done
[[ -s $work/first.sums ]] || { echo 'reproduce: no jar was built' >&2; exit 1; }
diff "$work/first.sums" "$work/second-one.sums" || { echo "reproduce: two builds of $commit differ" >&2; exit 1; }
printf 'two builds of %s gave the same bytes:\n' "$commit"
cat "$work/first.sums"
