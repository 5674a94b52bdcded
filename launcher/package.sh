# Sourced by ./ngd for `ngd package` after launcher/sources.sh, with $root, $jdk, $current and $flags set: makes one archive that needs
# nothing installed, with a Java runtime of its own (jlink), the jars and what deploys them.

make_package() {
  local out=. version name work module system shell
  shift
  while (($#)); do
    case $1 in
      --out) out=${2:-} && shift 2 || usage_of_package ;;
      --out=*) out=${1#--out=} && shift ;;
      *) usage_of_package "$1" ;;
    esac
  done
  mkdir -p "$out" 2>/dev/null
  [[ -d $out && -w $out ]] || {
    printf 'ngd package: --out: must be a folder that can be written; got `%s`\n' "$out" >&2
    exit 2
  }
  [[ -x $jdk/bin/jlink ]] || {
    printf 'ngd package: needs a JDK with jlink; %s has none\n' "$jdk" >&2
    exit 2
  }
  use_sources
  version=$(sed -n 's:.*<version>\(.*\)</version>.*:\1:p' "$root/pom.xml" | head -1)
  system=$(uname -s | tr '[:upper:]' '[:lower:]')-$(uname -m)
  name=ngd-$version-$system
  work=$(mktemp -d "$out/.ngd-package.XXXXXX") || exit 2
  # The name now: it is local, and gone when the shell ends.
  trap "rm -rf $(printf %q "$work")" EXIT
  mkdir -p "$work/$name/bin" "$work/$name/docs"
  # What the jars use, and what they find by name at run time: SQL drivers, TLS, figures, metrics, file systems.
  "$jdk/bin/jlink" --output "$work/$name/runtime" --strip-debug --no-header-files --no-man-pages --compress zip-6 \
    --add-modules java.base,java.compiler,java.desktop,java.instrument,java.logging,java.management,java.naming,java.net.http,java.rmi,java.scripting,java.security.jgss,java.security.sasl,java.sql,java.sql.rowset,java.transaction.xa,java.xml,jdk.charsets,jdk.crypto.cryptoki,jdk.crypto.ec,jdk.httpserver,jdk.incubator.vector,jdk.jfr,jdk.localedata,jdk.management,jdk.naming.dns,jdk.net,jdk.security.auth,jdk.unsupported,jdk.zipfs \
    >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    exit 1
  }
  cp "$root/.build/$current/ngd-app.jar" "$work/$name/" && cp -R "$root/.build/$current/lib" "$work/$name/lib" || exit 1
  mkdir "$work/$name/sources" && cp "$root/.build/$current/sources/ngd-sources.jar" "$root/.build/$current/sources"/lib/*.jar "$work/$name/sources/" || exit 1
  cp "$root/LICENSE" "$work/$name/" && cp -R "$root/deploy" "$work/$name/deploy" && rm -rf "$work/$name/deploy/check" &&
    cp "$root"/{README,CHANGES,CONTRIBUTING}.md "$work/$name/" && cp "$root"/docs/*.md "$work/$name/docs/" &&
    cp -R "$root/docs/figures" "$root/docs/examples" "$work/$name/docs/" && copy_languages "$work/$name" || exit 1
  {
    printf '#!/usr/bin/env bash\n# Starts ngd with the Java runtime beside it.\n'
    printf 'script=${BASH_SOURCE[0]}\nwhile [[ -L $script ]]; do\n  link=$(readlink "$script")\n'
    printf '  [[ $link == /* ]] || link=${script%%/*}/$link\n  script=$link\ndone\n'
    printf 'home=$(cd "${script%%/*}/.." && pwd -P)\nterminal=false\n[[ -t 2 ]] && terminal=true\n'
    declare -f is_brief take_memory pooled_bytes use_light use_aligned
    printf 'take_memory "$@"\n'
    printf 'light_bytes=%s\nsmall_bytes=%s\nmany_passes_bytes=%s\nvectors=(%s)\ncached=ngd.aot\nbrief_flags=(' "$light_bytes" "$small_bytes" "$many_passes_bytes" "${vectors[*]}"
    printf ' %q' "${brief_flags[@]}"
    printf ')\ncompressed=(%s)\n[[ ${NGD_JAVA_OPTS:-} == *-Xmx* || ${NGD_JAVA_OPTS:-} == *-XX:+Use*GC* || ${#heap[@]} -gt 0 ]] && compressed=()\n' -XX:+UseCompressedOops
    printf 'run_flags=(-XX:+UseParallelGC)\nis_brief "$@" && run_flags=("${brief_flags[@]}" "${compressed[@]}")\nuse_light "$@"\nuse_aligned "$@"\n'
    printf 'if [[ ${1:-} == peer && ${2:-} == run && ${NGD_PEER_FAST:-} != yes ]]; then\n  run_flags=('
    printf ' %q' "${peer_flags[@]}"
    printf ' "${compressed[@]}")\n  vectors=()\n  cached=peer.aot\n  export MALLOC_ARENA_MAX=${MALLOC_ARENA_MAX:-2}\nfi\n'
    printf 'cache=()\n[[ -e $home/$cached ]] && cache=(-XX:AOTCache="$home/$cached" -XX:+UnlockDiagnosticVMOptions -XX:ArchiveRelocationMode=0)\n'
    printf 'exec "$home/runtime/bin/java"'
    printf ' "${vectors[@]}"'
    printf ' %q' "${flags[@]}"
    printf ' "${heap[@]}" "${run_flags[@]}" "${cache[@]}"'
    printf ' -Dngd.stderr=3 -Dngd.terminal=$terminal ${NGD_JAVA_OPTS:-} -cp "$home/ngd-app.jar:$home/sources/*${NGD_CLASSPATH:+:$NGD_CLASSPATH}" ngd.app.Main "$@" 3>&2 2> >(\n'
    printf '  while IFS= read -r line || [[ -n $line ]]; do\n'
    printf '    [[ $line == "WARNING: Using incubator modules"* ]] || printf "%%s\\n" "$line" >&2\n  done\n)\n'
  } >"$work/$name/bin/ngd"
  chmod +x "$work/$name/bin/ngd"
  windows_launcher >"$work/$name/bin/ngd.cmd"
  # Starts are quick, and peers small, with a cache; where it cannot be made, everything works without.
  make_caches "$work/$name/runtime/bin/java" "$work/$name" >"$work/log" 2>&1
  "$work/$name/bin/ngd" --version >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    exit 1
  }
  bill_of_materials "$version" "$work/$name" >"$work/$name/ngd-sbom.json" || exit 1
  mkdir -p "$work/$name/share/completion" || exit 1
  for shell in bash zsh fish; do
    "$work/$name/bin/ngd" completion "$shell" >"$work/$name/share/completion/ngd.$shell" || exit 1
  done
  "$work/$name/bin/ngd" manual --out "$work/$name/share/man/man1" >/dev/null || exit 1
  tar -C "$work" -czf "$work/$name.tar.gz" "$name" && mv -f "$work/$name.tar.gz" "$out/$name.tar.gz" || exit 1
  printf '%s\n' "$out/$name.tar.gz"
}

# The R and Python packages, which run this program, into folder $1, without what running them leaves behind.
copy_languages() {
  mkdir "$1/r" "$1/python" &&
    cp -R "$root"/r/{DESCRIPTION,NAMESPACE,.Rbuildignore,R,man,tests,vignettes} "$1/r/" &&
    cp -R "$root"/python/{pyproject.toml,ngd,ngd.ipynb} "$1/python/" && rm -rf "$1/python/ngd/__pycache__"
}

# A bill of materials (CycloneDX 1.6) of version $1 in the unpacked archive $2: the libraries that are there, by their own sums, and the
# runtime. Refuses one that dependencies.tsv does not know.
bill_of_materials() {
  local jar sum line comma=
  local -a fields
  printf '{\n  "bomFormat": "CycloneDX",\n  "specVersion": "1.6",\n  "version": 1,\n'
  printf '  "metadata": {"component": {"type": "application", "bom-ref": "ngd", "name": "ngd", "version": "%s", "licenses": [{"license": {"id": "Apache-2.0"}}]}},\n' "$1"
  printf '  "components": [\n'
  for jar in "$2"/lib/*.jar "$2"/sources/*.jar; do
    [[ ${jar##*/} == ngd-* || $jar == */sources/* && -e $2/lib/${jar##*/} ]] && continue
    sum=$({ sha256sum "$jar" 2>/dev/null || shasum -a 256 "$jar"; } | sed 's/^\\*\([0-9a-f]*\).*/\1/')
    line=$(grep -m 1 "^$sum	" "$root/dependencies.tsv") || {
      printf 'ngd package: %s must be a library of dependencies.tsv; its SHA-256, %s, is not there\n' "${jar##*/}" "$sum" >&2
      return 1
    }
    IFS=$'\t' read -r -a fields <<<"${line//\"/\\\"}"
    printf '%s    {"type": "library", "bom-ref": "%s", "group": "%s", "name": "%s", "version": "%s", "purl": "pkg:maven/%s/%s@%s", "hashes": [{"alg": "SHA-256", "content": "%s"}], "licenses": [{"license": {"name": "%s"}}]}' \
      "$comma" "${jar##*/}" "${fields[2]%%:*}" "${fields[2]#*:}" "${fields[3]}" "${fields[2]%%:*}" "${fields[2]#*:}" "${fields[3]}" "$sum" "${fields[4]}"
    comma=$',\n'
  done
  printf '%s    {"type": "platform", "bom-ref": "java-runtime", "name": "Java runtime", "version": "%s", "licenses": [{"license": {"id": "GPL-2.0-with-classpath-exception"}}]}\n  ]\n}\n' \
    "$comma" "$(sed -n 's/^JAVA_VERSION="\(.*\)"$/\1/p' "$2/runtime/release")"
}

# The launcher for Windows, with this one's options: the jars are the same on every system; the runtime beside them is not, so that it takes
# an installed JDK 25 where there is no java.exe. Lines end as Windows wants them.
windows_launcher() {
  sed 's/$/\r/' <<END
@echo off
rem Starts ngd with the Java runtime beside it, or with the JDK 25 that NGD_JAVA_HOME or JAVA_HOME names.
setlocal
set "ngd_home=%~dp0.."
set "ngd_java="
if exist "%ngd_home%\\runtime\\bin\\java.exe" set "ngd_java=%ngd_home%\\runtime\\bin\\java.exe"
if not defined ngd_java if exist "%NGD_JAVA_HOME%\\bin\\java.exe" set "ngd_java=%NGD_JAVA_HOME%\\bin\\java.exe"
if not defined ngd_java if exist "%JAVA_HOME%\\bin\\java.exe" set "ngd_java=%JAVA_HOME%\\bin\\java.exe"
if not defined ngd_java goto nojava
set "ngd_more="
if defined NGD_CLASSPATH set "ngd_more=;%NGD_CLASSPATH%"
rem Of the memory that --memory allows, a quarter is left to the engine that reads tables and to compiled code.
set "ngd_heap="
set "ngd_before="
:word
set "ngd_word=%~1"
if not defined ngd_word goto start
setlocal EnableDelayedExpansion
if "!ngd_before!"=="--memory" (
  endlocal
  goto memory
)
endlocal
set "ngd_before=%~1"
shift
goto word
:memory
set "ngd_unit=%ngd_word:~-1%"
set "ngd_size=%ngd_word:~0,-1%"
if /i "%ngd_unit%"=="g" set /a ngd_heap=ngd_size*1024*3/4 2>nul
if /i "%ngd_unit%"=="m" set /a ngd_heap=ngd_size*3/4 2>nul
if not defined ngd_heap goto start
if %ngd_heap% lss 192 set "ngd_heap=192"
set "ngd_heap=-Xmx%ngd_heap%m"
:start
"%ngd_java%" ${vectors[*]:+${vectors[*]} }${flags[*]} %ngd_heap% -XX:+UseParallelGC %NGD_JAVA_OPTS% -cp "%ngd_home%\\ngd-app.jar;%ngd_home%\\sources\\*%ngd_more%" ngd.app.Main %*
exit /b %ERRORLEVEL%
:nojava
echo ngd: needs a JDK 25; set NGD_JAVA_HOME or JAVA_HOME to its folder 1>&2
exit /b 2
END
}

usage_of_package() {
  printf 'ngd package: makes ngd-VERSION-SYSTEM.tar.gz, which needs nothing installed; takes --out DIR%s\n' "${1:+; got \`$1\`}" >&2
  exit 2
}
