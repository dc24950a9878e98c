#compdef svc
_svc() {
  local ending
  local -a found
  found=("${(@f)$(/node '/a place/that'\''s it/apps/cli/src/main.ts' completion zsh --within 60 -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
  ending=$found[1]
  shift found
  case $ending in
    files) _files ;;
    open) _describe svc found -S '' ;;
    closed) _describe svc found ;;
  esac
}
compdef _svc svc
