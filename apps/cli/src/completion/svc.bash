_svc() {
  local word typed= breaks before= line ending= words=() found=()
  # bash breaks words at = and at the : of an id; here they are whole
  breaks=${COMP_WORDBREAKS//[^:=]/}
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [[ $word == [:=]* || $typed == *[:=] ]]; then
      typed+=$word
    else
      words+=("$typed")
      typed=$word
    fi
  done
  [[ $breaks ]] && before=${typed%"${typed##*[$breaks]}"}
  while IFS= read -r line; do
    if [[ ! $ending ]]; then
      ending=$line
    else
      [[ $line == *[^[:alnum:]_.,:=/@+-]* ]] && printf -v line %q "$line"
      found+=("${line#"$before"}")
    fi
  done < <(@complete@ "${words[@]:1}" "$typed" 2>/dev/null)
  case $ending in
    files) compopt -o default ;;
    open) compopt -o nospace ;;
  esac
  COMPREPLY=("${found[@]}")
}
complete -F _svc svc
