import { paint, sanitize } from '../output/terminal.ts'

/** A patch for a terminal: harmless, and in the colours that people know from Git. */
export function paintDiff(patch: string, stream: NodeJS.WritableStream): string {
  return sanitize(patch)
    .split('\n')
    .map((line) => paintLine(line, stream))
    .join('\n')
}

function paintLine(line: string, stream: NodeJS.WritableStream): string {
  if (/^(diff |index |--- |\+\+\+ )/.test(line)) return paint('bold', line, stream)
  if (line.startsWith('@@')) return paint('cyan', line, stream)
  if (line.startsWith('+')) return paint('green', line, stream)
  if (line.startsWith('-')) return paint('red', line, stream)
  return line
}
