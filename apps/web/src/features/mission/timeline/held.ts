import type { Line } from './line.ts'

export interface HeldPage {
  /** What it was asked for with; the newest page was asked for without. */
  cursor: string | undefined
  /** Of the page before it in time; undefined where the history begins in this one. */
  next: string | undefined
  lines: readonly Line[]
}

/** The part of a history that is in the document, newest first, and how many new lines wait to be shown. */
export interface Held {
  pages: readonly HeldPage[]
  /** Cursors of newer pages, in the order in which they were let go. */
  newer: readonly (string | undefined)[]
  waiting: readonly Line[]
  /** Of those that came while older pages were shown. */
  missed: number
}

export const pageLines = 200
/** However long a history is and however fast it grows, no more of it is in the document. */
export const mostLines = 400

export const nothingHeld: Held = { pages: [], newer: [], waiting: [], missed: 0 }

export function linesOf({ pages }: Held): Line[] {
  return pages.flatMap(({ lines }) => lines)
}

/** The newest lines are among those that are held. */
export function holdsNewest({ pages, newer }: Held): boolean {
  return pages.length > 0 && newer.length === 0
}

export function countWaiting({ waiting, missed }: Held): number {
  return waiting.length + missed
}

/** The newest page, in place of whatever was held. */
export function withNewest(page: Omit<HeldPage, 'cursor'>): Held {
  return { ...nothingHeld, pages: [{ ...page, cursor: undefined }] }
}

/** What happened before all that is held; the newest page goes where there is no room for both. */
export function withOlder(held: Held, page: HeldPage): Held {
  const [first, ...others] = [...held.pages, page]
  if (first === undefined || countLines([first, ...others]) <= mostLines) {
    return { ...held, pages: [...held.pages, page] }
  }
  const missed = held.missed + held.waiting.length
  return { pages: others, newer: [...held.newer, first.cursor], waiting: [], missed }
}

/**
 * What happened after all that is held: the newer page that was let go last. The oldest one goes for it. The newest page
 * may begin later than it did, so that it may not end where the others begin: they go.
 */
export function withNewer(held: Held, page: HeldPage): Held {
  if (page.cursor === undefined) return withNewest(page)
  const pages = [page, ...held.pages]
  const fits = countLines(pages) <= mostLines
  return { ...held, newer: held.newer.slice(0, -1), pages: fits ? pages : pages.slice(0, -1) }
}

/** A line that was told just now: shown at once where it moves nothing, else it waits. */
export function withNew(held: Held, line: Line, moves: boolean): Held {
  if (linesOf(held).some(({ id }) => id === line.id)) return held
  if (held.waiting.some(({ id }) => id === line.id)) return held
  if (!holdsNewest(held)) return { ...held, missed: held.missed + 1 }
  if (!moves) return onTop(held, [line])
  if (held.waiting.length >= pageLines) return { ...held, missed: held.missed + 1 }
  return { ...held, waiting: [line, ...held.waiting] }
}

/** Those that waited; where some of them were not kept, what is newest has to be read again. */
export function withWaiting(held: Held): Held | 'read again' {
  if (held.missed > 0 || !holdsNewest(held)) return 'read again'
  return onTop({ ...held, waiting: [] }, held.waiting)
}

/** With the authors that were read, of lines that were told without. */
export function completed(held: Held, read: readonly Line[]): Held {
  const byId = new Map(read.map((line) => [line.id, line]))
  const complete = (lines: readonly Line[]) =>
    lines.some(({ id, actor }) => actor === undefined && byId.has(id))
      ? lines.map((line) => (line.actor === undefined ? (byId.get(line.id) ?? line) : line))
      : lines
  const pages = held.pages.map((page) => ({ ...page, lines: complete(page.lines) }))
  return { ...held, pages, waiting: complete(held.waiting) }
}

export function lacksAuthors({ pages, waiting }: Held): boolean {
  const lacks = ({ actor }: Line) => actor === undefined
  return waiting.some(lacks) || (pages[0]?.lines.some(lacks) ?? false)
}

/** More than fits by new lines alone: the newest page is read again. */
export function isOverfull(held: Held): boolean {
  return held.pages.length === 1 && countLines(held.pages) > mostLines
}

function onTop(held: Held, lines: readonly Line[]): Held {
  const [first, ...others] = held.pages
  if (first === undefined) return held
  const pages = [{ ...first, lines: [...lines, ...first.lines] }, ...others]
  // the page after the one that goes is asked for by its own cursor again
  const fits = pages.length === 1 || countLines(pages) <= mostLines
  return { ...held, pages: fits ? pages : pages.slice(0, -1) }
}

function countLines(pages: readonly HeldPage[]): number {
  return pages.reduce((sum, { lines }) => sum + lines.length, 0)
}
