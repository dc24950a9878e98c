import { pathOfPatch, unquotePath } from '@svc/contracts/split-patch'

/** One line of a patch as it is drawn; `before` and `after` are its numbers in the two versions of the file. */
export type DiffRow =
  | { type: 'hunk'; text: string }
  | { type: 'same'; before: number; after: number; text: string }
  | { type: 'removed'; before: number; text: string }
  | { type: 'added'; after: number; text: string }
  /** What Git says of the line before: that no line ends it. */
  | { type: 'note'; text: string }

export interface FilePatch {
  path: string
  /** Where it was before, if that was elsewhere. */
  oldPath?: string
  change: 'added' | 'deleted' | 'modified' | 'renamed' | 'copied'
  isBinary: boolean
  /** Such as `100644 → 100755`. */
  mode?: string
  /** What follows its header; read by `readRows` when it is shown. */
  body: string
}

/**
 * The files of a patch that Git has printed. Every line of a file begins with a sign, so a header cannot be in one; only a
 * newline ends a line, whatever else a file has that others take for its end.
 */
export function filesOf(patch: string): FilePatch[] {
  return patch
    .split(/(?<=^|\n)(?=diff --git )/)
    .filter((part) => part.startsWith('diff --git '))
    .map(readFile)
}

function readFile(text: string): FilePatch {
  const at = text.indexOf('\n@@ ')
  const header = (at === -1 ? text : text.slice(0, at)).split('\n')
  const body = at === -1 ? '' : text.slice(at + 1)
  const after = (name: string) =>
    header.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1)
  const [from, to] = [pathOf(after('---')), pathOf(after('+++'))]
  const [movedFrom, movedTo] = [
    after('rename from') ?? after('copy from'),
    after('rename to') ?? after('copy to'),
  ]
  const path = pathOfMove(movedTo) ?? to ?? from ?? pathOfPatch(header[0] ?? '')
  const oldPath = pathOfMove(movedFrom)
  const modes = [after('old mode'), after('new mode')]
  return {
    path,
    ...(oldPath !== undefined && { oldPath }),
    change: changeOf(after),
    isBinary: header.some((line) => /^(Binary files |GIT binary patch)/.test(line)),
    ...(modes[0] !== undefined && { mode: modes.join(' → ') }),
    body,
  }
}

function changeOf(after: (name: string) => string | undefined): FilePatch['change'] {
  if (after('new file mode') !== undefined) return 'added'
  if (after('deleted file mode') !== undefined) return 'deleted'
  if (after('rename to') !== undefined) return 'renamed'
  return after('copy to') === undefined ? 'modified' : 'copied'
}

/** Of `--- a/src/x.ts`; nothing for a file that is not there. Git ends a path that has spaces with a tab. */
function pathOf(given: string | undefined): string | undefined {
  if (given === undefined || given === '/dev/null') return undefined
  return unquotePath(given.replace(/\t$/, '')).replace(/^[ab]\//, '')
}

function pathOfMove(given: string | undefined): string | undefined {
  return given === undefined ? undefined : unquotePath(given)
}

/**
 * The lines of a file's patch. A hunk says how many it has: what looks like a header within one is a line of the file, and
 * where fewer follow, the patch is cut.
 */
export function readRows({ body }: Pick<FilePatch, 'body'>): { rows: DiffRow[]; isCut: boolean } {
  const rows: DiffRow[] = []
  let [before, after, beforeLeft, afterLeft] = [0, 0, 0, 0]
  // what follows the last newline is no line
  for (const line of body.replace(/\n$/, '').split('\n')) {
    const sign = line[0]
    const text = line.slice(1)
    if (sign === '\\') {
      rows.push({ type: 'note', text: text.trim() })
    } else if (beforeLeft + afterLeft === 0) {
      const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line)
      if (hunk === null) continue
      before = Number(hunk[1])
      after = Number(hunk[3])
      beforeLeft = Number(hunk[2] ?? 1)
      afterLeft = Number(hunk[4] ?? 1)
      rows.push({ type: 'hunk', text: line })
    } else if (sign === '-') {
      rows.push({ type: 'removed', before, text })
      before += 1
      beforeLeft -= 1
    } else if (sign === '+') {
      rows.push({ type: 'added', after, text })
      after += 1
      afterLeft -= 1
    } else {
      // a mail or an editor may have taken the blank of an empty line
      rows.push({ type: 'same', before, after, text })
      before += 1
      after += 1
      beforeLeft -= 1
      afterLeft -= 1
    }
  }
  return { rows, isCut: beforeLeft + afterLeft > 0 }
}
