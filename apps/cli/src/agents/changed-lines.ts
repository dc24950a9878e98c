/** What a change makes of the lines, as a patch. No other lines are shown: others keep tokens in these files. */
export function changedLines(path: string, before: string, after: string): string {
  const [old, now] = [linesOf(before), linesOf(after)]
  const first = old.findIndex((line, index) => line !== now[index])
  const start = first === -1 ? old.length : first
  const most = Math.min(old.length, now.length) - start
  let same = 0
  while (same < most && old.at(-1 - same) === now.at(-1 - same)) same += 1
  const gone = old.slice(start, old.length - same)
  const come = now.slice(start, now.length - same)
  const range = (lines: string[]) => `${start + 1},${lines.length}`
  return [
    `--- ${path}`,
    `+++ ${path}`,
    `@@ -${range(gone)} +${range(come)} @@`,
    ...gone.map((line) => `-${line}`),
    ...come.map((line) => `+${line}`),
  ].join('\n')
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}
