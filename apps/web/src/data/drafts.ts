/** What somebody has typed into a field and the service has not taken yet. */
export interface Draft {
  text: string
  /** What the service had when it was begun, so that a change by others in the meantime is found, also after a reload. */
  base?: DraftBase
  /** Of the send that got no answer: sent again under it, the service does it once. */
  key?: string
  /** What was sent under it. */
  sent?: string
  keyMadeAt?: number
  /** In which sign-in of this person. */
  keySignIn?: number
}

export interface DraftBase {
  revision: number
  text: string
}

export interface Drafts {
  read: (field: string) => Draft | undefined
  /** Kept at once in memory, and 300 ms later where it outlives the page. */
  write: (field: string, text: string, base?: DraftBase) => void
  /** The key for sending just this: that of its last try, else a new one that is kept before it is used. */
  keyFor: (field: string, sent: string) => { key: string; mayBeOld: boolean }
  /** The service has answered. */
  drop: (field: string) => void
  /** The sign-in is over: keys of it are good for nothing any more. */
  endSignIn: () => void
  /** All that this person has here, in any workspace: a sign-out says what it discards. */
  countAll: () => number
  discardAll: () => void
  /** Writes what waits; a page that is left calls it. */
  flush: () => void
}

export interface DraftOptions {
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>
  person: string
  workspace: string
  now?: () => number
}

const writeMs = 300
const prefix = 'svc:draft:'
const signInPrefix = 'svc:sign-in:'
/** A key is good for one sign-in and that long; afterwards nobody knows whether the send was carried out. */
const keyMs = 24 * 60 * 60 * 1000

/** Drafts are of one person and one workspace, so that nobody else at this browser is shown them. */
export function openDrafts({ storage, person, workspace, now = Date.now }: DraftOptions): Drafts {
  const own = `${prefix}${person}:`
  const nameOf = (field: string) => `${own}${workspace}:${field}`
  const waiting = new Map<string, Draft>()
  let timer: ReturnType<typeof setTimeout> | undefined

  const read = (field: string): Draft | undefined =>
    waiting.get(field) ?? parse(storage.getItem(nameOf(field)))
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    for (const [field, draft] of waiting) save(storage, nameOf(field), draft)
    waiting.clear()
  }
  const keep = (field: string, draft: Draft) => {
    waiting.set(field, draft)
    timer ??= setTimeout(flush, writeMs)
  }
  const drop = (field: string) => {
    waiting.delete(field)
    storage.removeItem(nameOf(field))
  }
  const signIn = () => Number(storage.getItem(signInPrefix + person) ?? 0)
  const namesOfAll = () =>
    Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '').filter((name) =>
      name.startsWith(own),
    )

  return {
    read,
    flush,
    drop,
    write: (field, text, base) => {
      const known = read(field)
      // what somebody has emptied is a change of what was there
      if (text === '' && base === undefined) drop(field)
      else if (known?.text !== text || base !== undefined) {
        keep(field, { ...known, text, ...(base && { base }) })
      }
    },
    keyFor: (field, sent) => {
      const known = read(field)
      if (known?.sent === sent && known.key !== undefined) {
        const isOld = now() - (known.keyMadeAt ?? 0) > keyMs
        return { key: known.key, mayBeOld: isOld || known.keySignIn !== signIn() }
      }
      const key = crypto.randomUUID()
      keep(field, { text: known?.text ?? '', sent, key, keyMadeAt: now(), keySignIn: signIn() })
      flush()
      return { key, mayBeOld: false }
    },
    endSignIn: () => save(storage, signInPrefix + person, signIn() + 1),
    countAll: () => {
      flush()
      return namesOfAll().length
    },
    discardAll: () => {
      waiting.clear()
      for (const name of namesOfAll()) storage.removeItem(name)
    },
  }
}

/** A full or forbidden storage loses no text that is on screen. */
function save(storage: DraftOptions['storage'], name: string, value: Draft | number): void {
  try {
    storage.setItem(name, JSON.stringify(value))
  } catch {
    // the field still has it
  }
}

function parse(text: string | null): Draft | undefined {
  if (text === null) return undefined
  try {
    const draft: unknown = JSON.parse(text)
    // written by `save`
    return typeof draft === 'object' && draft !== null && 'text' in draft
      ? (draft as Draft)
      : undefined
  } catch {
    return undefined
  }
}
