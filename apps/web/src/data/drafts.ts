import { newKey } from '@svc/client/new-key'
import { keep as keepValue } from './storage.ts'
import { type Store, createStore } from './store.ts'

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
  /** As it was written last, here or in another tab. */
  read: (field: string) => Draft | undefined
  /** What a field of this tab begins with: from then on it is known what it holds, whatever another tab writes. */
  begin: (field: string) => Draft | undefined
  /** What the field of this tab holds. */
  textHere: (field: string) => string | undefined
  /** Kept at once in memory, and 300 ms later where it outlives the page. */
  write: (field: string, text: string, base?: DraftBase) => void
  newKey: () => SendKey
  /** Under this key nobody can be sure any more that the service does it once. */
  isOld: (key: SendKey) => boolean
  /**
   * The key for sending just this: that of its last try, else a new one that is kept before it is used. Where it must not
   * be done beside what was sent before and got no answer, it is sent under the key of that, unless that is under way still.
   */
  keyFor: (
    field: string,
    sent: string,
    options?: { notBesideEarlier?: boolean },
  ) => { key: SendKey; isOfEarlierTry: boolean }
  /** Until it has ended, that key is for what is sent by it alone. */
  whileSending: <T>(key: SendKey, send: () => Promise<T>) => Promise<T>
  /** What was sent under this key was certainly not done, or is to be done under another one; the text stays. */
  forgetKey: (field: string, key: SendKey) => void
  /** The service has taken this text; what was written since then, here or in another tab, stays. */
  settle: (field: string, sent: string, key: SendKey) => void
  /** The text is given up. What another tab has written in its place stays. */
  drop: (field: string) => void
  /** What the browser tells this tab of what another one keeps. */
  hear: (change: Pick<StorageEvent, 'key' | 'oldValue' | 'newValue'>) => void
  /** Another tab has dropped the very text that the field of this one holds. Answers what ends the listening. */
  onDropped: (field: string, tell: () => void) => () => void
  /** All that this person has here, in any workspace: a sign-out says what it discards. */
  countAll: () => number
  discardAll: () => void
  /** A sign-out here or in another tab has discarded all of it: nothing that is typed is kept before the next sign-in. */
  isDiscarded: Pick<Store<boolean>, 'get' | 'subscribe'>
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
/** Set for a moment by a tab that discards all drafts of a person, so that the others know what they lose. */
const discarding = 'svc:draft-discard:'
/** A key is good for one sign-in and that long; afterwards nobody knows whether the send was carried out. */
const keyMs = 24 * 60 * 60 * 1000

/** Drafts are of one person and one workspace, so that nobody else at this browser is shown them. */
export function openDrafts(options: DraftOptions): Drafts {
  const { storage, person, workspace, signIn, now = Date.now } = options
  const own = `${prefix}${person}:`
  const nameOf = (field: string) => `${own}${workspace}:${field}`
  const waiting = new Map<string, Draft>()
  // all tabs keep a field under one name, so what is kept may be what another one has written
  const here = new Map<string, { text: string; base?: DraftBase }>()
  const listening = new Map<string, Set<() => void>>()
  const inFlight = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const discardedIn = createStore<string | undefined>(undefined)
  const isDiscarded = () => discardedIn.get() === signIn()

  const isOfEarlierDay = (key?: SendKey) => key !== undefined && now() - key.madeAt > keyMs
  const read = (field: string): Draft | undefined => {
    const known = waiting.get(field) ?? parse(storage.getItem(nameOf(field)))
    if (!known || hasText(known) || !isOfEarlierDay(known.send)) return known
    remove(field)
    return undefined
  }
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    // the next person here is to find nothing
    if (isDiscarded()) return
    for (const [field, draft] of waiting) {
      if (save(storage, nameOf(field), draft)) waiting.delete(field)
    }
  }
  const keep = (field: string, draft: Draft) => {
    waiting.set(field, draft)
    timer ??= setTimeout(flush, writeMs)
  }
  const remove = (field: string) => {
    waiting.delete(field)
    storage.removeItem(nameOf(field))
  }
  const drop = (field: string) => {
    const known = here.get(field)
    const isOfHere =
      known === undefined || waiting.has(field) || (read(field)?.text ?? '') === known.text
    here.set(field, { text: '' })
    if (isOfHere) remove(field)
  }
  const hear: Drafts['hear'] = ({ key, oldValue, newValue }) => {
    if (key === `${discarding}${person}` && newValue !== null) {
      waiting.clear()
      discardedIn.set(signIn())
    }
    const dropped = parse(oldValue)
    if (!key?.startsWith(nameOf('')) || newValue !== null || dropped === undefined) return
    const field = key.slice(nameOf('').length)
    const known = here.get(field)
    if (known === undefined || known.text === '') return
    if (known.text === dropped.text) {
      waiting.delete(field)
      here.set(field, { text: '' })
      for (const tell of listening.get(field) ?? []) tell()
      // what was typed here is not what was sent there, which had taken its place
    } else if (dropped.send && !waiting.has(field) && !isDiscarded()) keep(field, known)
  }
  const forgetKey = (field: string, { key }: SendKey) => {
    const { send, ...rest } = read(field) ?? { text: '' }
    if (send?.key !== key) return
    if (!hasText(rest)) return remove(field)
    keep(field, rest)
    flush()
  }
  const sendKey = () => ({ key: newKey(), madeAt: now(), signIn: signIn() })
  const namesOfAll = () =>
    Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '').filter((name) =>
      name.startsWith(own),
    )

  return {
    read,
    begin: (field) => {
      const known = read(field)
      here.set(field, { text: known?.text ?? '', ...(known?.base && { base: known.base }) })
      return known && hasText(known) ? known : undefined
    },
    textHere: (field) => here.get(field)?.text,
    flush,
    drop,
    hear,
    onDropped: (field, tell) => {
      const all = listening.get(field) ?? new Set()
      listening.set(field, all.add(tell))
      return () => {
        all.delete(tell)
        if (all.size === 0 && listening.get(field) === all) listening.delete(field)
      }
    },
    write: (field, text, base) => {
      const known = read(field)
      // what somebody has emptied is a change of what was there
      if (text === '' && base === undefined) {
        drop(field)
        // what was sent of it may have been done all the same; what another tab has written in its place stays
        if (known?.send && read(field) === undefined)
          keep(field, { text, send: { ...known.send, sent: '' } })
        return
      }
      const isOther = known?.text !== text || base !== undefined
      const next = isOther ? { ...known, text, ...(base && { base }) } : known
      here.set(field, { text, ...(next.base && { base: next.base }) })
      if (isOther) keep(field, next)
    },
    newKey: sendKey,
    isOld: (key) => isOfEarlierDay(key) || key.signIn !== signIn(),
    keyFor: (field, sent, { notBesideEarlier = false } = {}) => {
      const known = read(field)
      const last = known?.send
      const isSame = last?.sent === sent
      const isOpen = last !== undefined && !isOfEarlierDay(last) && !inFlight.has(last.key)
      const earlier = isSame || (notBesideEarlier && isOpen) ? last : undefined
      const send = { ...(earlier ?? sendKey()), sent }
      keep(field, { text: '', ...known, send })
      flush()
      return { key: send, isOfEarlierTry: earlier !== undefined }
    },
    whileSending: async ({ key }, send) => {
      inFlight.add(key)
      try {
        return await send()
      } finally {
        inFlight.delete(key)
      }
    },
    forgetKey,
    settle: (field, sent, key) => {
      if ((read(field)?.text ?? '') === sent) remove(field)
      else forgetKey(field, key)
      if (here.get(field)?.text === sent) here.set(field, { text: '' })
    },
    countAll: () => {
      flush()
      const kept = new Map(namesOfAll().map((name) => [name, parse(storage.getItem(name))]))
      for (const [field, draft] of waiting) kept.set(nameOf(field), draft)
      return [...kept.values()].filter((draft) => draft === undefined || hasText(draft)).length
    },
    isDiscarded: { get: isDiscarded, subscribe: discardedIn.subscribe },
    discardAll: () => {
      discardedIn.set(signIn())
      keepValue(storage, `${discarding}${person}`, signIn())
      waiting.clear()
      here.clear()
      for (const name of namesOfAll()) storage.removeItem(name)
      storage.removeItem(`${discarding}${person}`)
    },
  }
}

/** What somebody has emptied is a change where there was something before. */
function hasText({ text, base }: Pick<Draft, 'text' | 'base'>): boolean {
  return text !== '' || base !== undefined
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
