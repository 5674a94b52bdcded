#!/usr/bin/env bash
# Builds the docs as a site of static pages: docs/, the reference that the program writes and the Javadoc of the library,
# by VitePress, with every link checked. Needs Node.js 20 or later, and for the Javadoc a JDK 25 and Maven.
#
#   launcher/site.sh DIR          DIR must be new or empty
#
#   NGD             the program that writes the reference; ./ngd by default
#   NGD_MAVEN_ARGS  more arguments for Maven, such as -o
#   NGD_SITE_BASE   the path below which the site will be served, such as /ngd/; / by default
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
out=${1:-}
if [[ -z $out ]] || [[ -e $out && (! -d $out || -n $(ls -A "$out")) ]]; then
  printf 'site: must be given a folder that is new or empty; got `%s`\n' "$out" >&2
  exit 2
fi
command -v npm >/dev/null || {
  printf 'site: needs Node.js 20 or later with npm, which is not on the PATH\n' >&2
  exit 2
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Fixed by site/package-lock.json; what other systems' builds of a library need is fetched there.
(cd "$root/site" && npm install --no-audit --no-fund --no-save --loglevel=error) >"$work/log" 2>&1 || {
  cat "$work/log" >&2
  exit 1
}
cp -R "$root/site/.vitepress" "$root/site/index.md" "$root/site/package.json" "$work"
ln -s "$root/site/node_modules" "$work/node_modules"
cp "$root"/docs/*.md "$work"
mkdir -p "$work/public" "$work/reference"
cp -R "$root/docs/figures" "$work/figures"
cp "$root/docs/figures/window-network.png" "$work/public"
cp -R "$root/docs/examples" "$work/public/examples"
# Pages above docs/ come to lie beside the others.
for page in CONTRIBUTING CHANGES; do
  sed 's:](docs/:](:g' "$root/$page.md" >"$work/$page.md"
done
sed -i.kept 's:](\.\./CONTRIBUTING\.md):](CONTRIBUTING.md):g' "$work"/*.md
"${NGD:-$root/ngd}" manual --format markdown --out "$work/reference" >/dev/null
. "$root/launcher/jdk.sh"
find_jdk site
find_maven site
# The library's module is seen once it is compiled, where the launcher compiles it.
rm -rf "$root/.build/ngd-core/reports/apidocs"
run_maven -q -P 'launcher,!format' -pl core -Dquiet -Dnotimestamp -Ddoclint=none -Duse=false compile javadoc:javadoc >"$work/log" 2>&1 || {
  cat "$work/log" >&2
  exit 1
}
cp -R "$root/.build/ngd-core/reports/apidocs" "$work/public/javadoc"
# The examples are programs, not pages.
(cd "$work" && VITE_EXTRA_EXTENSIONS=java,jsh node_modules/.bin/vitepress build .) >"$work/log" 2>&1 || {
  cat "$work/log" >&2
  exit 1
}
node "$root/site/links.mjs" "$work/.vitepress/dist" "${NGD_SITE_BASE:-/}"
mkdir -p "$out"
cp -R "$work/.vitepress/dist/." "$out"
printf '%s\n' "$out"
