import { newKey } from '@svc/client/new-key'

/** What somebody has typed into a field and the service has not taken yet. */
export interface Draft {
  text: string
  /** What the service had when it was begun, so that a change by others in the meantime is found, also after a reload. */
  base?: DraftBase
  /** The send that got no answer, and what was sent. */
  send?: SendKey & { sent: string }
}

/** The name of a send: sent again under it in the same sign-in and within a day, the service does it once. */
export interface SendKey {
  key: string
  madeAt: number
  /** The id of the sign-in. */
  signIn: string
}

export interface DraftBase {
  revision: number
  text: string
}

export interface Drafts {
  read: (field: string) => Draft | undefined
  /** Kept at once in memory, and 300 ms later where it outlives the page. */
  write: (field: string, text: string, base?: DraftBase) => void
  newKey: () => SendKey
  /** Under this key nobody can be sure any more that the service does it once. */
  isOld: (key: SendKey) => boolean
  /** The key for sending just this: that of its last try, else a new one that is kept before it is used. */
  keyFor: (field: string, sent: string) => { key: SendKey; isOfEarlierTry: boolean }
  /** What was sent was certainly not done, or is to be done under another key; the text stays. */
  forgetKey: (field: string) => void
  /** The service has answered. */
  drop: (field: string) => void
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
  /** The id of the sign-in that calls are made in just now. */
  signIn: () => string
  now?: () => number
}

const writeMs = 300
const prefix = 'svc:draft:'
/** A key is good for one sign-in and that long; afterwards nobody knows whether the send was carried out. */
const keyMs = 24 * 60 * 60 * 1000

/** Drafts are of one person and one workspace, so that nobody else at this browser is shown them. */
export function openDrafts(options: DraftOptions): Drafts {
  const { storage, person, workspace, signIn, now = Date.now } = options
  const own = `${prefix}${person}:`
  const nameOf = (field: string) => `${own}${workspace}:${field}`
  const waiting = new Map<string, Draft>()
  let timer: ReturnType<typeof setTimeout> | undefined

  const read = (field: string): Draft | undefined =>
    waiting.get(field) ?? parse(storage.getItem(nameOf(field)))
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    for (const [field, draft] of waiting) {
      if (save(storage, nameOf(field), draft)) waiting.delete(field)
    }
  }
  const keep = (field: string, draft: Draft) => {
    waiting.set(field, draft)
    timer ??= setTimeout(flush, writeMs)
  }
  const drop = (field: string) => {
    waiting.delete(field)
    storage.removeItem(nameOf(field))
  }
  const sendKey = () => ({ key: newKey(), madeAt: now(), signIn: signIn() })
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
    newKey: sendKey,
    isOld: ({ madeAt, signIn: madeIn }) => now() - madeAt > keyMs || madeIn !== signIn(),
    keyFor: (field, sent) => {
      const known = read(field)
      if (known?.send?.sent === sent) return { key: known.send, isOfEarlierTry: true }
      const key = sendKey()
      keep(field, { text: '', ...known, send: { ...key, sent } })
      flush()
      return { key, isOfEarlierTry: false }
    },
    forgetKey: (field) => {
      const { send, ...rest } = read(field) ?? { text: '' }
      if (send === undefined) return
      if (rest.text === '' && rest.base === undefined) return drop(field)
      keep(field, rest)
      flush()
    },
    countAll: () => {
      flush()
      return new Set([...namesOfAll(), ...[...waiting.keys()].map(nameOf)]).size
    },
    discardAll: () => {
      waiting.clear()
      for (const name of namesOfAll()) storage.removeItem(name)
    },
  }
}

/** Answers false where the storage is full: the text and its key are kept in memory until the page is left. */
function save(storage: DraftOptions['storage'], name: string, value: Draft): boolean {
  try {
    storage.setItem(name, JSON.stringify(value))
    return true
  } catch {
    return false
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
