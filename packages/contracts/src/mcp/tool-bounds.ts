import type { ToolBounds } from './tool-contract.ts'
import { cutText } from '../cut-text.ts'

type Output = Record<string, unknown>

/** About 20,000 tokens: some clients refuse a result of 25,000. */
export const mostResultCharacters = 64_000

const keptCharacters = 40_000

/** How long a text and a list inside the result may be, tighter with each attempt. */
const attempts = [
  { characters: 16_000, items: 200 },
  { characters: 4_000, items: 50 },
  { characters: 1_000, items: 20 },
  { characters: 300, items: 5 },
]

interface Attempt {
  characters: number
  items: number
  keep: readonly string[]
  offset: number
}

interface Reading {
  most?: number
  /** The offset at which texts begin when a call reads on. */
  offset?: number | undefined
}

/**
 * A result that a model can read: texts are shortened first, then entries left out, the oldest first. `truncated` says
 * so; a list with a cursor goes on from its last entry, and a text that can be read on says how.
 */
export function boundOutput(
  output: Output,
  bounds: ToolBounds = {},
  { most = mostResultCharacters, offset = 0 }: Reading = {},
): Output {
  if (sizeOf(output) <= most) return output
  let cut = output
  for (const attempt of attempts) {
    cut = {
      ...shortenRoot(output, { ...attempt, keep: bounds.keep ?? [], offset }),
      truncated: true,
    }
    if (sizeOf(cut) <= most) return cut
  }
  return dropEntries(cut, bounds, most)
}

function shortenRoot(output: Output, attempt: Attempt): Output {
  return Object.fromEntries(
    Object.entries(output).map(([key, value]) => [
      key,
      Array.isArray(value)
        ? value.map((item) => shorten(item, key, attempt))
        : shorten(value, key, attempt),
    ]),
  )
}

function shorten(value: unknown, path: string, attempt: Attempt): unknown {
  if (typeof value === 'string') return shortText(value, path, attempt)
  if (Array.isArray(value)) {
    return value.slice(0, attempt.items).map((item) => shorten(item, path, attempt))
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]: [string, unknown]) => {
      const short = shorten(inner, `${path}.${key}`, attempt)
      const next = short === inner ? undefined : whereOn(value, key)
      return [
        key,
        next && typeof short === 'string' ? withContinuation(short, next, attempt) : short,
      ]
    }),
  )
}

function shortText(text: string, path: string, attempt: Attempt): string {
  const most = attempt.keep.includes(path) ? keptCharacters : attempt.characters
  if (text.length <= most) return text
  const kept = cutText(text, most)
  return `${kept}${cutMark}${text.length - kept.length} more characters)`
}

const cutMark = '… ('

/** The arguments with which the tool that reads a mission reads this text; the instruction and the content alone. */
function whereOn(of: object, key: string): Output | undefined {
  if (key === 'instruction' && 'displayId' in of) return { objectiveId: of.displayId }
  const isContent = key === 'contentText' && 'id' in of && 'missionId' in of
  return isContent ? { missionId: of.missionId, artifactId: of.id } : undefined
}

function withContinuation(cut: string, where: Output, { offset }: Attempt): string {
  const next = JSON.stringify({ ...where, offset: offset + cut.lastIndexOf(cutMark) })
  return `${cut.slice(0, -1)}: svc_load_mission_context ${next})`
}

/** Takes from the longest list at the root until it fits; a list is halved, so that this ends soon. */
function dropEntries(output: Output, bounds: ToolBounds, most: number): Output {
  let left = output
  while (sizeOf(left) > most) {
    const lists = Object.entries(left).filter(
      (entry): entry is [string, unknown[]] => Array.isArray(entry[1]) && entry[1].length > 0,
    )
    const [longest] = lists.toSorted(([, one], [, other]) => sizeOf(other) - sizeOf(one))
    if (!longest) return left
    const [key, list] = longest
    const keep = Math.floor(list.length / 2)
    const kept = bounds.newestLast?.includes(key)
      ? list.slice(list.length - keep)
      : list.slice(0, keep)
    left = { ...left, [key]: kept, ...(key === bounds.paged && cursorAfter(kept)) }
  }
  return left
}

function cursorAfter(kept: unknown[]): Output {
  const last = kept.at(-1)
  if (typeof last !== 'object' || last === null || !('id' in last)) return {}
  return { nextCursor: last.id }
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value).length
}
