# Sourced by bench/planted-bugs and bench/unmended: a catalogue of edits of the sources, one after an empty line each: a name, a source file,
# where there are any `= MODULE TEST...`, the text that stands there once (`< `, further lines as they are) and what it becomes (`> `).

# each_edit CATALOGUE FUNCTION [NAME...]: calls FUNCTION name file tests from to for all edits, or for those whose names begin so.
each_edit() {
  local catalogue=$1 call=$2 line name='' file='' tests='' from='' to='' state=name
  shift 2
  while IFS= read -r line || [[ -n $line ]]; do
    case $line in
      '#'*) ;;
      '') hand_over "$@" ;;
      '= '*) tests=${line#= } ;;
      '< '*) from+=${line#< }$'\n' state=from ;;
      '> '*) to+=${line#> }$'\n' state=to ;;
      *) case $state in
        name) name=$line state=file ;;
        file) file=$line ;;
        from) from+=$line$'\n' ;;
        to) to+=$line$'\n' ;;
      esac ;;
    esac
  done <"$catalogue"
  hand_over "$@"
}

hand_over() {
  local one chosen=$#
  for one in "$@"; do
    [[ $name == "$one"* ]] && chosen=0
  done
  if [[ -n $name ]] && ((chosen == 0)); then
    "$call" "$name" "$file" "$tests" "${from%$'\n'}" "${to%$'\n'}" </dev/null
  fi
  name='' file='' tests='' from='' to='' state=name
}

# edited FILE FROM TO: prints the file with the one place changed; fails where there is none, or several.
edited() {
  local text rest
  text=$(<"$1")
  rest=${text#*"$2"}
  [[ $rest != "$text" && $rest == "${rest#*"$2"}" ]] || return 1
  printf '%s\n' "${text%%"$2"*}$3$rest"
}
