import { shellWord } from '@svc/contracts/shell-words'

/** What makes `svc` a command wherever a shell stands: in bash, zsh and fish alike. */
export function commandAlias(bootstrap: string): string {
  return `alias svc=${shellWord(`node ${innerWord(bootstrap)} svc`)}`
}

/** Between double quotes: fish, unlike the others, takes a backslash before a single quote inside of single ones. */
function innerWord(path: string): string {
  const isPlain = shellWord(path) === path
  return isPlain ? path : `"${path.replace(/["$`\\]/g, String.raw`\$&`)}"`
}
