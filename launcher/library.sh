# Sourced by ./ngd for `ngd install-library` with $root set: installs the library in the local Maven repository.

install_library() {
  local log=$root/.build/install-library.log
  find_maven ngd
  run_maven -P '!format' -DskipTests -pl bom,core,sources,studies,peer -am install >"$log" 2>&1 || {
    printf 'ngd install-library: failed; the whole log is in %s\n' "$log" >&2
    sed -n '/-> \[Help/q; /^\[ERROR\]/p' "$log" | head -20 >&2
    exit 1
  }
  grep -o 'Installing .* to .*\.jar$' "$log" | sed 's/.* to //' | grep -v -e '-sources.jar' -e '-javadoc.jar' -e '-tests.jar'
}
