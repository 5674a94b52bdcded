# Sourced by ./ngd where neural networks are trained, with $root, $jdk and $current set: builds the module `deep` and
# fetches libtorch (some 110 MB; NGD_TORCH=linux-x86_64-gpu takes the build with CUDA, 460 MB) once, into a folder of its own,
# and adds both to the class path. No other command comes here.

wants_deep() {
  [[ ${1:-} == train ]] || [[ ${1:-} == study && " ${*:2} " == *' figure6 '* ]]
}

# Sets $deep_classpath.
use_deep() {
  local deep=$root/.build/$current/deep${NGD_TORCH:+-$NGD_TORCH}
  [[ " ${*} " == *' --help '* || " ${*} " == *' -h '* ]] && return 0
  if [[ ! -e $deep/done ]]; then
    lock
    [[ -e $deep/done ]] || build_deep "$deep"
    unlock
  fi
  deep_classpath=":$deep/ngd-deep.jar:$deep/lib/*"
  # A thread of a pass that waits by spinning keeps the others from their work where anything else runs beside it.
  export OMP_WAIT_POLICY=${OMP_WAIT_POLICY:-passive}
  # JavaCPP reads memory through Unsafe; the JVM would warn of it.
  flags+=(--sun-misc-unsafe-memory-access=allow)
}

build_deep() {
  local log=$root/.build/build-deep.log natives=lib${NGD_TORCH:+-$NGD_TORCH}
  find_maven ngd
  [[ -t 2 ]] && printf 'ngd: fetching libtorch (once) …' >&2
  if ! run_maven -P 'launcher,!format' -Dmaven.test.skip=true ${NGD_TORCH:+-Dpytorch.classifier="$NGD_TORCH"} -Dnatives.folder="$natives" \
    -pl core,studies,deep package >"$log" 2>&1 9>&-; then
    [[ -t 2 ]] && printf '\r\033[K' >&2
    printf 'ngd: the build of the module deep failed; the whole log is in %s\n' "$log" >&2
    sed -n '/-> \[Help/q; /^\[ERROR\]/p; /Exception/p' "$log" | head -20 >&2
    exit 1
  fi
  rm -rf "$1" && mkdir -p "$1" &&
    cp "$root"/.build/ngd-deep/ngd-deep-*.jar "$1/ngd-deep.jar" &&
    ln -s "$root/.build/ngd-deep/$natives" "$1/lib" && : >"$1/done" || exit 2
  [[ -t 2 ]] && printf '\r\033[K' >&2
  return 0
}
