# Sourced by ./ngd where the jars are missing or older than their sources, with $root and $jdk set: builds them,
# and the AOT cache that makes the start quick, into a folder of their own and names it in .build/current.

# Whether a source, resource or pom is newer than the jars (folders too: a file may have been removed).
is_stale() {
  current=
  [[ -r $root/.build/current ]] && IFS= read -r current <"$root/.build/current"
  [[ -n $current && -e $root/.build/$current/stamp && -e $root/.build/$current/ngd-app.jar ]] || return 0
  [[ -n $(find "$root/pom.xml" "$root/ngd" "$root/launcher" "$root"/{core,sources,studies,spark,deep,peer,app}/pom.xml \
    "$root"/{core,sources,studies,spark,deep,peer,app}/src/main -newer "$root/.build/$current/stamp" -print -quit) ]]
}

# Sets $cache to the options for the AOT cache; says where it does not fit the JDK, which would ignore it without a word.
# At its own address it is used as it lies in the file: nothing in it has to be rewritten, and its pages are shared between processes.
use_cache() {
  local made=$root/.build/$current
  if [[ ! -e $made/$cached ]]; then
    return
  fi
  if [[ -r $made/release && $(<"$made/release") == "$(<"$jdk/release")" ]]; then
    cache=(-XX:AOTCache="$made/$cached" -XX:+UnlockDiagnosticVMOptions -XX:ArchiveRelocationMode=0)
  else
    printf 'ngd: the AOT cache was made by another JDK than %s and is not used: starts are slower; `rm %s` builds it anew\n' "$jdk" "$(printf %q "$made/stamp")" >&2
  fi
}

# One builder at a time; the others wait and then find the work done.
lock() {
  if ! mkdir -p "$root/.build" 2>/dev/null || [[ ! -w $root/.build ]]; then
    printf 'ngd: must build before its first run, into %s, which cannot be written. Run it once as a user who may write there, or copy the checkout\n' "$root/.build" >&2
    exit 2
  fi
  if command -v flock >/dev/null; then
    exec 9>"$root/.build/lock"
    flock 9
    return
  fi
  local holder
  until mkdir "$root/.build/lock.d" 2>/dev/null; do
    holder=
    [[ -r $root/.build/lock.d/pid ]] && IFS= read -r holder <"$root/.build/lock.d/pid"
    if [[ -n $holder ]] && ! kill -0 "$holder" 2>/dev/null; then
      rm -rf "$root/.build/lock.d"
    else
      sleep 0.2
    fi
  done
  printf '%s\n' "$$" >"$root/.build/lock.d/pid"
  trap 'rm -rf "$root/.build/lock.d"' EXIT
}

unlock() {
  if command -v flock >/dev/null; then
    exec 9>&-
  else
    rm -rf "$root/.build/lock.d"
    trap - EXIT
  fi
}

# Refuses libraries in folder $1 that are not those in dependencies.tsv, whatever repository they came from.
verify_libraries() {
  local jar sum
  for jar in "$1"/*.jar; do
    [[ ${jar##*/} == ngd-* ]] && continue
    sum=$({ sha256sum "$jar" 2>/dev/null || shasum -a 256 "$jar"; } | sed 's/^\\*\([0-9a-f]*\).*/\1/')
    if ! grep -q "^$sum	" "$root/dependencies.tsv"; then
      printf 'ngd: %s must be a library of dependencies.tsv; its SHA-256, %s, is not there. It was changed on its way, or a version was changed without its checksum (CONTRIBUTING.md)\n' "${jar##*/}" "$sum" >&2
      return 1
    fi
  done
}

# Has the JVM $1 make the AOT caches of the jars in folder $2, side by side: one for all commands, one for fits that start without the Vector API
# (launcher/light.sh), and one for peers, which do too: only what is started alike can use a cache. They are accelerators: where they cannot be
# made, everything works without them. They hold classes but no profiles: those of a short rehearsal would mislead the compiler in the long loops.
# Whichever command is the first and builds, the Vector API is in the cache of those that have it.
make_caches() {
  train "$1" "$2" ngd.aot all --add-modules=jdk.incubator.vector -XX:+UseParallelGC &
  train "$1" "$2" light.aot fits -Dngd.kernels=scalar -XX:+UseParallelGC &
  train "$1" "$2" peer.aot peers "${peer_flags[@]}"
  wait
}

# Makes the cache $3 from what commands $4 need, under the options that follow.
train() {
  "$1" "${@:5}" "${flags[@]}" -XX:AOTCacheOutput="$2/$3" -XX:+UnlockDiagnosticVMOptions -XX:-AOTRecordTraining \
    -cp "$2/ngd-app.jar" ngd.app.WarmUp "$2/warm-up-$4" "$4" || rm -f "$2/$3"
  rm -rf "$2/warm-up-$4"
}

build() {
  local log=$root/.build/build.log next kept
  find_maven ngd
  [[ -t 2 ]] && printf 'ngd: building (once, and after sources changed) …' >&2
  next=run-$$-$RANDOM
  mkdir -p "$root/.build/$next" || exit 2
  : >"$root/.build/$next/stamp"
  if ! run_maven -P 'launcher,!format,!engines' -Dmaven.test.skip=true -pl core,studies,peer,app package >"$log" 2>&1 9>&-; then
    [[ -t 2 ]] && printf '\r\033[K' >&2
    rm -rf "${root:?}/.build/$next"
    printf 'ngd: the build failed; the whole log is in %s\n' "$log" >&2
    sed -n '/-> \[Help/q; /^\[ERROR\]/p; /Exception/p' "$log" | head -20 >&2
    exit 1
  fi
  cp "$root"/.build/ngd-app/ngd-app-*.jar "$root/.build/$next/ngd-app.jar" &&
    cp -R "$root/.build/ngd-app/lib" "$root/.build/$next/lib" || exit 2
  verify_libraries "$root/.build/$next/lib" || exit 1
  make_caches "$jdk/bin/java" "$root/.build/$next" >>"$log" 2>&1 9>&-
  cp "$jdk/release" "$root/.build/$next/release"
  printf '%s\n' "$next" >"$root/.build/current.new"
  mv -f "$root/.build/current.new" "$root/.build/current"
  # A run that has just started may still be opening the jars it was given: keep those.
  for kept in "$root"/.build/run-*; do
    [[ $kept == "$root/.build/$next" || $kept == "$root/.build/$current" ]] || rm -rf "$kept"
  done
  current=$next
  [[ -t 2 ]] && printf '\r\033[K' >&2
  return 0
}
