import { isDeepStrictEqual } from 'node:util'
import { type Outcome, hold } from './command.ts'
import type { State } from './state.ts'

const paths = ['a.ts', 'b.ts'] as const
const statuses = ['added', 'modified', 'deleted'] as const
const pathOf = (how: number) => paths[how % paths.length] ?? 'a.ts'

/**
 * Changed files to report, the second one without a status: what cannot be read is left out, and the valid one is kept.
 */
export function filesFor(how: number): object[] {
  const vcsStatus = statuses[how % statuses.length]
  return [{ filePath: pathOf(how), vcsStatus }, { filePath: pathOf(how) }]
}

export function rationalesFor(how: number, why: string): object[] {
  const text = { label: 'A change', summary: 'It changed.', why, impact: 'None.' }
  return [{ filePath: pathOf(how), ...text }, { filePath: pathOf(how) }]
}

interface Said {
  why: string
  how: number
  /** With a delivery, which it belongs to from then on. */
  delivered: boolean
}

/** The last that was said of a path counts, and nothing else was changed by it. */
export function checkRationales(
  { before, after }: Outcome,
  { objective }: { objective: string },
  { why, how, delivered }: Said,
): void {
  const path = pathOf(how)
  const isOther = (one: State['rationales'][number]) =>
    one.objective !== objective || one.path !== path
  const others = before.rationales.filter(isOther)
  const isKept = isDeepStrictEqual(after.rationales.filter(isOther), others)
  hold(isKept, 'I-08', 'a rationale of something else was changed')
  const [said] = after.rationales.filter((one) => !isOther(one))
  const expected = { objective, path, why, delivered }
  hold(isDeepStrictEqual(said, expected), 'I-08', 'the rationale is not what was said last')
}

/** From all reports on its objective's files a delivery keeps the last one for each path. */
export function checkFiles({ before, after }: Outcome, { objective }: { objective: string }): void {
  const known = before.files.filter((one) => one.objective === objective)
  const batches = before.batches.filter((one) => one.objective === objective && !one.drained)
  const items = batches
    .flatMap((batch) => batch.items)
    .flatMap(({ filePath, vcsStatus }) =>
      vcsStatus ? [{ path: filePath, status: vcsStatus }] : [],
    )
  const last = new Map([...known, ...items].map(({ path, status }) => [path, status]))
  const now = after.files.filter((one) => one.objective === objective)
  const isLast = now.length === last.size && now.every((one) => last.get(one.path) === one.status)
  hold(isLast, 'I-08', 'the delivery has not the files that were reported last')
}
