# Sourced by ./ngd where a study or a rehearsal asks for Spark, with $root, $jdk and $current set: builds the Spark module and
# fetches Spark (some 150 MB) once, into a folder of its own, and adds both to the class path, or hands the program to
# the spark-submit of an installation. No other command comes here.

wants_spark() {
  local word
  [[ ${1:-} == study || "${1:-} ${2:-}" == 'federation rehearse' ]] || return 1
  for word in "$@"; do
    case ${word#--on=} in
      spark://* | local-cluster\[*) return 0 ;;
    esac
  done
  return 1
}

# Sets $spark_classpath and adds to $flags what Spark asks of a modern JVM.
use_spark() {
  local spark=$root/.build/$current/spark opened
  have_spark "$spark"
  # local-cluster starts executors of its own, from a folder that looks like an installation.
  export SPARK_HOME=${SPARK_HOME:-$spark/home} SPARK_SCALA_VERSION=2.13
  spark_classpath=":$spark/ngd-spark.jar:$spark/home/jars/*"
  for opened in lang lang.invoke lang.reflect io net nio util util.concurrent util.concurrent.atomic; do
    flags+=("--add-opens=java.base/java.$opened=ALL-UNNAMED")
  done
  for opened in jdk.internal.ref sun.nio.ch sun.nio.cs sun.util.calendar; do
    flags+=("--add-opens=java.base/$opened=ALL-UNNAMED")
  done
  flags+=(--sun-misc-unsafe-memory-access=allow -Dio.netty.tryReflectionSetAccessible=true)
}

have_spark() {
  [[ -e $1/done ]] && return
  lock
  [[ -e $1/done ]] || build_spark "$1"
  unlock
}

# ngd spark-submit [OPTIONS of spark-submit] study NAME …, or federation rehearse PLAN …: the words before these are Spark's.
submit_to_spark() {
  local spark=$root/.build/$current/spark submit=${SPARK_HOME:+$SPARK_HOME/bin/}spark-submit options=() jars
  shift
  while (($#)) && [[ $1 != study && "$1 ${2:-}" != 'federation rehearse' ]]; do
    options+=("$1")
    shift
  done
  if ((!$#)); then
    printf 'ngd spark-submit: must be given a study or a rehearsal after the options of spark-submit: ngd spark-submit --master MASTER study NAME, or federation rehearse PLAN; got neither `study` nor `federation rehearse`\n' >&2
    exit 2
  fi
  if ! command -v "$submit" >/dev/null; then
    printf 'ngd spark-submit: needs an installation of Spark 4.2 (Scala 2.13): SPARK_HOME must name it, or spark-submit be on the PATH; %s is not there\n' "$submit" >&2
    exit 2
  fi
  have_spark "$spark"
  jars=$spark/ngd-spark.jar
  if brings_engines "$@"; then
    use_sources
    for jar in "$root/.build/$current/sources/ngd-sources.jar" "$root/.build/$current/sources"/lib/*.jar; do
      jars+=,$jar
    done
  fi
  export JAVA_HOME=$jdk
  exec "$submit" --name "ngd ${1/federation/rehearsal}" --class ngd.app.Main --jars "$jars" \
    --driver-java-options '--add-modules=jdk.incubator.vector --enable-native-access=ALL-UNNAMED' \
    "${options[@]}" "$root/.build/$current/ngd-app.jar" "$@" --on spark
}

# Whether a cluster needs the engines that read tables: some 95 MB, which plain text does without.
brings_engines() {
  local word previous=
  . "$root/launcher/sources.sh"
  [[ $1 == study ]] && { wants_sources "$@"; return; }
  for word in "$@"; do
    [[ $word == --query || $word == --query=* ]] && return 0
    [[ $previous == --data ]] && { is_plain "$word" || return 0; }
    [[ $word == --data=* ]] && { is_plain "$word" || return 0; }
    previous=$word
  done
  return 1
}

build_spark() {
  local log=$root/.build/build-spark.log
  find_maven ngd
  [[ -t 2 ]] && printf 'ngd: fetching Spark (once) …' >&2
  if ! run_maven -P 'launcher,!format' -Dmaven.test.skip=true -pl core,studies,spark package >"$log" 2>&1 9>&-; then
    [[ -t 2 ]] && printf '\r\033[K' >&2
    printf 'ngd: the build of the Spark module failed; the whole log is in %s\n' "$log" >&2
    sed -n '/-> \[Help/q; /^\[ERROR\]/p; /Exception/p' "$log" | head -20 >&2
    exit 1
  fi
  rm -rf "$1" && mkdir -p "$1" &&
    cp "$root"/.build/ngd-spark/ngd-spark-*.jar "$1/ngd-spark.jar" &&
    mkdir "$1/home" && ln -s "$root/.build/ngd-spark/lib" "$1/home/jars" && : >"$1/home/RELEASE" && : >"$1/done" || exit 2
  [[ -t 2 ]] && printf '\r\033[K' >&2
  return 0
}
