import { shellWord } from '@svc/contracts/shell-words'
import type { RunChanges, RunFile } from '@svc/contracts/run-files'
import type { ReviewedFile } from './changed.ts'
import type { FilePatch } from './patch.ts'

/** Why no line of a file is shown. */
export interface Missing {
  sentence: string
  /** Whether there are lines, which a command shows. */
  isElsewhere: boolean
}

/** Of a file whose patch was read; `parts` are what its patch has. */
export function whyNoLines(
  file: Pick<RunFile, 'additions' | 'deletions' | 'patchBytes'> | undefined,
  parts: readonly FilePatch[],
): Missing {
  const [part] = parts
  if (part?.isBinary || (file && part === undefined && isBinary(file))) {
    return { sentence: 'It is no text, so it has no lines to show.', isElsewhere: false }
  }
  if (part === undefined) return { sentence: notKept(file), isElsewhere: true }
  const isWhole = part.change === 'added' || part.change === 'deleted'
  const sentence = isWhole ? 'It is empty.' : 'None of its lines has changed.'
  return { sentence, isElsewhere: false }
}

/** Git counts no lines of what is no text. */
function isBinary({ additions, deletions }: Pick<RunFile, 'additions' | 'deletions'>): boolean {
  return additions === null && deletions === null
}

function notKept(file: Pick<RunFile, 'additions' | 'deletions'> | undefined): string {
  const lines = (file?.additions ?? 0) + (file?.deletions ?? 0)
  return lines === 0
    ? 'Its lines are not kept here.'
    : 'Its lines are not kept here: they are too many, or those of the files before it were.'
}

/** Shows the lines of one file on a machine that has the branch; of what is in no report, how to get at the work. */
export function commandFor(
  { path, position }: Pick<ReviewedFile, 'path' | 'position'>,
  report: Pick<RunChanges, 'baseSha' | 'headSha'> | undefined,
  mission: string,
): string {
  if (position === undefined || !report || report.baseSha === '' || report.headSha === '') {
    return `svc review ${mission}`
  }
  const range = `${report.baseSha.slice(0, 12)}..${report.headSha.slice(0, 12)}`
  return `git diff ${range} -- ${shellWord(path)}`
}
