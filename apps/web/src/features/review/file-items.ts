import type { FileGroup, ReviewedFile } from './changed.ts'

/** A row of the list of files. */
export type FileItem =
  | { key: string; type: 'group'; group: FileGroup; isClosed: boolean }
  | { key: string; type: 'file'; file: ReviewedFile }
  /** What is read when it comes into view. */
  | { key: string; type: 'more'; left: number }

export const keyOfGroup = (label: string | undefined) => `group:${label ?? ''}`
export const keyOfFile = (path: string) => `file:${path}`

/** The rows of these groups, of closed ones their heads alone; `left` are those that are not read yet. */
export function itemsOf(
  groups: readonly FileGroup[],
  closed: ReadonlySet<string>,
  left: number,
): FileItem[] {
  // where no reason was given for any, there is nothing to tell apart
  const hasHeads = groups.length > 1 || groups.some(({ label }) => label !== undefined)
  const items = groups.flatMap((group): FileItem[] => {
    const key = keyOfGroup(group.label)
    const isClosed = hasHeads && closed.has(key)
    return [
      ...(hasHeads ? [{ key, type: 'group', group, isClosed } as const] : []),
      ...(isClosed
        ? []
        : group.files.map((file) => ({ key: keyOfFile(file.path), type: 'file', file }) as const)),
    ]
  })
  return left > 0 ? [...items, { key: 'more', type: 'more', left }] : items
}

/** The row that a key leads to from another one; undefined where it is no key of a list. */
export function itemByKey(key: string, from: number, count: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: from + 1,
    ArrowUp: from - 1,
    PageDown: from + 10,
    PageUp: from - 10,
    Home: 0,
    End: count - 1,
  }
  const to = steps[key]
  return to === undefined ? undefined : Math.max(0, Math.min(to, count - 1))
}
