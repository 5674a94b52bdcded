# Sourced by ./ngd: a pooled fit or a description of text files that are not large makes a few passes over its rows. It starts without the Vector API, whose
# classes take longer to load and compile than the scalar kernels, which give the same bits, take for these; a smaller one without the second
# compiler as well, which takes longer to compile what has run for a second than it then saves. Penalties chosen by cross-validation make
# hundreds of passes, so that only small files count as light there.

# Bytes of all files together up to which the scalar kernels do, and up to which the first compiler does.
light_bytes=100000000
small_bytes=40000000
many_passes_bytes=1000000

# Sets $bytes to those of the files of a pooled fit or a description, and $many where it makes many passes; fails where the command is another, or reads anything but text files.
pooled_bytes() {
  local word previous= place places=()
  bytes= many=
  [[ ${1:-} == fit || ${1:-} == describe ]] || return 1
  for word in "${@:2}"; do
    case $word in
      --alpha* | --algorithm* | *.yaml | *.yml | *.json) return 1 ;;
      --penalty*) many=${many:-yes} ;;
      --folds=0) many=no ;;
      --site=* | --data=*) places+=("${word#--*=}") ;;
    esac
    [[ $previous == --folds && $word == 0 ]] && many=no
    [[ $previous == --site || $previous == --data ]] && places+=("$word")
    previous=$word
  done
  ((${#places[@]})) || return 1
  for place in "${!places[@]}"; do
    [[ -f ${places[place]} ]] || places[place]=${places[place]#*=}
    [[ ${places[place]} =~ \.(csv|tsv|tab|txt|dat)$ && -f ${places[place]} ]] || return 1
  done
  read -r bytes _ < <(wc -c -- "${places[@]}" 2>/dev/null | tail -n 1) && [[ $bytes =~ ^[0-9]+$ ]]
}

# Sets $run_flags, $vectors and $cached for such a command.
use_light() {
  pooled_bytes "$@" && ((bytes <= light_bytes)) || return 0
  [[ $many == yes ]] && ((bytes > many_passes_bytes)) && return 0
  ((bytes <= small_bytes)) && run_flags+=(-XX:TieredStopAtLevel=1)
  run_flags+=(-Dngd.kernels=scalar "${compressed[@]}")
  vectors=()
  cached=light.aot
}

# Studies and the benchmarks of rounds load the same arrays millions of times. Where objects begin at multiples of 64, no load of a vector
# touches two cache lines. An AOT cache fits one alignment only, so they start without one, a fifth of a second later.
use_aligned() {
  case "${1:-} ${2:-}" in
    'study '* | 'bench rounds' | 'bench algorithms') ;;
    *) return 0 ;;
  esac
  run_flags+=(-XX:ObjectAlignmentInBytes=64)
  cached=none
}
