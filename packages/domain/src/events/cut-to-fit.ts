import { cutText } from '@svc/contracts/cut-text'
import { type FullEnvelope, envelopeLimits } from '@svc/contracts/webhook-envelope'

type Full = Omit<FullEnvelope, 'id'>

interface Measure {
  entries: number
  /** At most so many of one text. */
  characters: number
}

const { arrayEntries } = envelopeLimits

/** Tried in turn: first only the lists are capped, then ever shorter texts, at last shorter lists. */
const measures: readonly Measure[] = [
  ...[Infinity, 32_768, 8_192, 2_048, 512, 128].map((characters) => ({
    entries: arrayEntries,
    characters,
  })),
  { entries: 10, characters: 128 },
  { entries: 0, characters: 128 },
]

/** Names, paths and times are whole or not there: a part of one would be another. */
const wholeKeys = new Set(['id', 'type', 'filePath', 'vcsStatus', 'createdAt', 'status'])

/** Caps every list at 50 entries, and cuts texts until the JSON is within so many bytes. Decision 60. */
export function cutToFit(envelope: Full, maxBytes: number): Full {
  let cut = envelope
  for (const measure of measures) {
    cut = cutBy(envelope, measure)
    if (Buffer.byteLength(JSON.stringify(cut)) <= maxBytes) break
  }
  return cut
}

function cutBy(envelope: Full, measure: Measure): Full {
  const found: Cuts = { lists: new Set(), texts: new Set() }
  const { links, delivery, changedFiles, changeRationales, missionEvents, ...rest } = envelope
  const long = { delivery, changedFiles, changeRationales, missionEvents }
  // a part of each list and of each text has the type of the whole
  const cut = cutValue(long, measure, '', found) as typeof long
  const fields = [...found.lists, ...found.texts]
  return {
    ...rest,
    ...(cut.delivery && { delivery: cut.delivery }),
    changedFiles: cut.changedFiles,
    changeRationales: cut.changeRationales,
    missionEvents: cut.missionEvents,
    links,
    ...(found.lists.size > 0 && { truncated: true as const }),
    ...(fields.length > 0 && { truncatedFields: [...new Set(fields)] }),
  }
}

interface Cuts {
  lists: Set<string>
  texts: Set<string>
}

function cutValue(value: unknown, measure: Measure, path: string, found: Cuts): unknown {
  if (typeof value === 'string') return cutLong(value, measure, path, found)
  if (Array.isArray(value)) {
    if (value.length > measure.entries) found.lists.add(path)
    return value.slice(0, measure.entries).map((item) => cutValue(item, measure, path, found))
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) => {
    const below = path === '' ? key : `${path}.${key}`
    return [key, wholeKeys.has(key) ? inner : cutValue(inner, measure, below, found)]
  })
  return Object.fromEntries(entries)
}

function cutLong(text: string, { characters }: Measure, path: string, found: Cuts): string {
  if (text.length <= characters) return text
  found.texts.add(path)
  return cutText(text, characters)
}
