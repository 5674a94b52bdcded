# Sourced by ./ngd where a command reads tables, with $root, $jdk and $current set: builds the sources module and
# fetches its engines (some 95 MB, DuckDB most of it) once, and adds them to the class path. Plain CSV files of
# numbers (but for `train`, which reads all tables through them) and simulated data need none of it.

wants_sources() {
  local word previous=
  # Parquet is written by them too.
  for word in "$@"; do
    [[ $word == parquet || $word == --*=parquet ]] && return 0
  done
  case ${1:-} in
    describe | predict | demo) return 0 ;;
    peer)
      [[ ${2:-} == run || ${2:-} == check || ${2:-} == --* || -z ${2:-} ]]
      return
      ;;
    federation)
      [[ ${2:-} == rehearse ]]
      return
      ;;
    fit | check | compare | study) ;;
    train)
      for word in "${@:2}"; do
        [[ $previous == --data ]] && { is_table "$word"; return; }
        [[ $word == --data=* ]] && { is_table "${word#--data=}"; return; }
        previous=$word
      done
      return 1
      ;;
    *) return 1 ;;
  esac
  for word in "$@"; do
    case $word in
      --site | --site=* | --formula | --formula=* | --query | --query=* | --na | --na=* | --missing | --missing=* | --dictionary | --dictionary=*) return 0 ;;
      --data=*) is_plain "${word#--data=}" || return 0 ;;
      *.yaml | *.yml) needs_engines "$word" && return 0 ;;
    esac
    [[ $previous == --data ]] && { is_plain "$word" || return 0; }
    previous=$word
  done
  return 1
}

# Whether a YAML file names data other than plain text, or has a key that the engines answer. Keys may stand in quotes, further
# right, and all in braces.
needs_engines() {
  local key="(^|[{,])[[:space:]]*[\"']?(%s)[\"']?[[:space:]]*:"
  [[ -r $1 ]] || return 1
  # shellcheck disable=SC2059
  grep -Eq "$(printf "$key" 'site|formula|query|na|missing|dictionary')" "$1" ||
    grep -E "$(printf "$key" data)" "$1" | grep -Evq "\.(csv|txt)(\.gz)?[\"']?[[:space:]]*(#.*)?$"
}

# Images for neural networks are read without them.
is_table() {
  [[ $1 == jdbc:* || ! $1 =~ ^([[:alnum:]_]{2,}:|(mnist|cifar10|images)$) ]]
}

is_plain() {
  [[ $1 == *.csv || $1 == *.csv.gz || $1 == *.txt || $1 == *.txt.gz ]]
}

# Sets $sources_classpath.
use_sources() {
  local sources=$root/.build/$current/sources
  if [[ ! -e $sources/done ]]; then
    lock
    [[ -e $sources/done ]] || build_sources "$sources"
    unlock
  fi
  sources_classpath=":$sources/ngd-sources.jar:$sources/lib/*"
}

build_sources() {
  local log=$root/.build/build-sources.log
  find_maven ngd
  [[ -t 2 ]] && printf 'ngd: fetching the engines that read tables (once) …' >&2
  if ! run_maven -P 'launcher,!format,!engines' -Dmaven.test.skip=true -pl core,sources package >"$log" 2>&1 9>&-; then
    [[ -t 2 ]] && printf '\r\033[K' >&2
    printf 'ngd: the build of the sources module failed; the whole log is in %s\n' "$log" >&2
    sed -n '/-> \[Help/q; /^\[ERROR\]/p; /Exception/p' "$log" | head -20 >&2
    exit 1
  fi
  verify_libraries "$root/.build/ngd-sources/lib" || exit 1
  rm -rf "$1" && mkdir -p "$1" &&
    cp "$root"/.build/ngd-sources/ngd-sources-*.jar "$1/ngd-sources.jar" &&
    ln -s "$root/.build/ngd-sources/lib" "$1/lib" && : >"$1/done" || exit 2
  [[ -t 2 ]] && printf '\r\033[K' >&2
  return 0
}
