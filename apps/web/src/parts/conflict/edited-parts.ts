import { type Current, type Edited, isConflict } from './edited.ts'

/** Parts of one thing, each edited by itself, as texts. */
export interface CurrentParts<K extends string> {
  revision: number
  texts: Readonly<Record<K, string>>
}

/** What is written of them; what is left alone is as it stands. */
export type WrittenParts<K extends string> = ReadonlyMap<K, Edited>

export function currentOf<K extends string>(
  { revision, texts }: CurrentParts<K>,
  part: K,
): Current {
  return { revision, text: texts[part] }
}

/** With this text of that part; one that is written back to what it was is left alone again. */
export function writePart<K extends string>(
  written: WrittenParts<K>,
  current: CurrentParts<K>,
  { part, text }: { part: K; text: string },
): WrittenParts<K> {
  const base = written.get(part)?.base ?? currentOf(current, part)
  return text === base.text
    ? withoutPart(written, part)
    : new Map(written).set(part, { text, base })
}

export function withoutPart<K extends string>(written: WrittenParts<K>, part: K): WrittenParts<K> {
  return new Map([...written].filter(([name]) => name !== part))
}

/** Those that are written otherwise than they stand. */
export function changedParts<K extends string>(
  written: WrittenParts<K>,
  { texts }: CurrentParts<K>,
): K[] {
  return [...written].filter(([part, { text }]) => text !== texts[part]).map(([part]) => part)
}

/** Those that somebody else has changed meanwhile, too. */
export function partsInConflict<K extends string>(
  written: WrittenParts<K>,
  current: CurrentParts<K>,
): K[] {
  return [...written]
    .filter(([part, edited]) => isConflict(edited, currentOf(current, part)))
    .map(([part]) => part)
}

/** Once these texts are saved: what was written since then goes on top of them. */
export function settleParts<K extends string>(
  written: WrittenParts<K>,
  sent: ReadonlyMap<K, string>,
  saved: CurrentParts<K>,
): WrittenParts<K> {
  const left = [...written].filter(
    ([part, { text }]) => text !== saved.texts[part] && text !== sent.get(part),
  )
  return new Map(
    left.map(([part, { text, base }]) => [
      part,
      { text, base: sent.has(part) ? currentOf(saved, part) : base },
    ]),
  )
}
