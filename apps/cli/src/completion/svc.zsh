#compdef svc
_svc() {
  local ending
  local -a found
  found=("${(@f)$(@complete@ "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
  ending=$found[1]
  shift found
  case $ending in
    files) _files ;;
    open) _describe svc found -S '' ;;
    closed) _describe svc found ;;
  esac
}
compdef _svc svc
