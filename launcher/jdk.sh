# Sourced by ./ngd and ./check with $root set: finds a JDK 25 and says so in $jdk, or ends with a message.
# Versions are read from each JDK's `release` file, so that nothing is started.

# Sets $version to the version of the JDK in folder $1; fails where there is no JDK 25.
is_jdk_25() {
  version=
  [[ -n ${1:-} && -x $1/bin/java && -x $1/bin/javac && -r $1/release ]] || return 1
  local line
  while IFS= read -r line || [[ -n $line ]]; do
    if [[ $line == JAVA_VERSION=\"25\"* || $line == JAVA_VERSION=\"25[.+]* ]]; then
      version=${line#JAVA_VERSION=}
      version=${version//[\"$'\r']/}
      return 0
    fi
  done <"$1/release"
  return 1
}

# The folder of the JDK to which the java on the PATH belongs.
jdk_on_path() {
  local java link
  java=$(command -v java) || return 1
  while [[ -L $java ]]; do
    link=$(readlink "$java")
    [[ $link == /* ]] || link=${java%/*}/$link
    java=$link
  done
  printf '%s\n' "${java%/bin/java}"
}

find_jdk() {
  local candidate cached=
  for candidate in "${NGD_JAVA_HOME:-}" "${JAVA_HOME:-}"; do
    if is_jdk_25 "$candidate"; then
      jdk=$candidate
      return 0
    fi
  done
  if [[ -r $root/.build/jdk ]]; then
    IFS= read -r cached <"$root/.build/jdk" || true
    if is_jdk_25 "$cached"; then
      jdk=$cached
      return 0
    fi
  fi
  for candidate in "$(jdk_on_path)" \
    /usr/lib/jvm/* /usr/lib64/jvm/* /usr/java/* /usr/local/java/* /opt/* /opt/java/* /opt/jdk/* \
    "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/* "$HOME"/.jdk/* "$HOME"/.asdf/installs/java/* \
    "$HOME"/.local/share/mise/installs/java/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home \
    "$HOME"/Library/Java/JavaVirtualMachines/*/Contents/Home \
    /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home \
    /usr/local/opt/openjdk*/libexec/openjdk.jdk/Contents/Home \
    /home/linuxbrew/.linuxbrew/opt/openjdk*/libexec; do
    if is_jdk_25 "$candidate"; then
      jdk=$candidate
      mkdir -p "$root/.build" 2>/dev/null && printf '%s\n' "$jdk" >"$root/.build/jdk" 2>/dev/null
      return 0
    fi
  done
  {
    printf '%s: needs a JDK 25; none was found in NGD_JAVA_HOME, JAVA_HOME, on the PATH or in the usual folders' "$1"
    [[ -n ${JAVA_HOME:-} ]] && printf ' (JAVA_HOME is %s)' "$JAVA_HOME"
    printf '.\n'
    printf '  Install one, for example from https://adoptium.net (Temurin 25) or with one of\n'
    printf '    sdk install java 25-tem       apt install openjdk-25-jdk       brew install openjdk@25\n'
    printf '  or say where it is: NGD_JAVA_HOME=/path/to/jdk-25 %s\n' "$0"
  } >&2
  exit 2
}

find_maven() {
  maven=$(command -v mvn) && return 0
  {
    printf '%s: needs Maven (mvn) to build; it is not on the PATH.\n' "$1"
    printf '  Install it, for example with one of\n'
    printf '    apt install maven       dnf install maven       brew install maven       sdk install maven\n'
  } >&2
  exit 2
}

# Runs Maven in the root on the JDK found, which then compiles as well (profile `fork` of pom.xml), without the warnings that old Maven
# releases draw from new JDKs. It is over before a second compiler or several collecting threads pay for themselves; a person's own choice of a
# collector replaces it.
run_maven() (
  cd "$root" || exit 2
  local brief="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
  [[ ${MAVEN_OPTS:-} == *-XX:+Use*GC* ]] && brief=${brief% *}
  export JAVA_HOME=$jdk
  export MAVEN_OPTS="--enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow $brief ${MAVEN_OPTS:-}"
  # NGD_MAVEN_ARGS holds several words, such as -o or -Dmaven.repo.local=DIR.
  # shellcheck disable=SC2086
  exec "$maven" -B -ntp -Dngd.warm ${NGD_MAVEN_ARGS:-} "$@"
)
