import { type Store, createStore } from '../data/store.ts'

/** A key or two in a row (`g p`), with `Shift+` before a name that needs it; `Mod+` is Ctrl, or ⌘. */
export interface Key {
  readonly keys: string
  /** What it does, for the help; a row without it is not shown there. */
  readonly does?: string
  /** Answers false where there was nothing to do, so that the browser has the key. */
  readonly run: () => unknown
}

export interface Keyboard {
  /** For the keys of a page or a part of it. Those in places that were opened last come first, whenever they change. */
  open: () => Place
  /** For the help. */
  readonly known: Store<readonly Key[]>
  /** Whether it was one of ours. */
  press: (event: Pressed) => boolean
  readonly isOn: Store<boolean>
}

export interface Place {
  /** In place of those that were there. */
  show: (keys: readonly Key[]) => void
  close: () => void
}

/** What of a `KeyboardEvent` matters. */
export interface Pressed {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
  /** It goes into a field. */
  inField: boolean
}

const sequenceMs = 1_000

/** Keys act outside of fields alone, and those without Ctrl can be turned off. WCAG 2.1.4. */
export function createKeyboard(isOn: Store<boolean>, now: () => number = Date.now): Keyboard {
  const places: { keys: readonly Key[] }[] = []
  const known = createStore<readonly Key[]>([])
  let before: { name: string; at: number } | undefined

  const tell = () => known.set(places.toReversed().flatMap(({ keys }) => keys))
  const find = (name: string) => known.get().find(({ keys }) => keys === name)
  return {
    known,
    isOn,
    open: () => {
      const place: { keys: readonly Key[] } = { keys: [] }
      places.push(place)
      return {
        show: (keys) => {
          place.keys = keys
          tell()
        },
        close: () => {
          places.splice(places.indexOf(place), 1)
          tell()
        },
      }
    },
    press: (event) => {
      const name = nameOf(event)
      const isCombination = name.startsWith('Mod+')
      if (!isCombination && (event.inField || !isOn.get())) return false
      const first = before && now() - before.at < sequenceMs ? before.name : undefined
      before = undefined
      const key = (first !== undefined && find(`${first} ${name}`)) || find(name)
      if (key) return key.run() !== false
      const begins = known.get().some(({ keys }) => keys.startsWith(`${name} `))
      if (begins) before = { name, at: now() }
      return begins
    },
  }
}

function nameOf({ key, ctrlKey, metaKey, altKey, shiftKey }: Pressed): string {
  const name = key === ' ' ? 'Space' : key
  if (altKey) return `Alt+${name}`
  if (ctrlKey || metaKey) return `Mod+${name}`
  // the shift of a letter or sign is in its name
  return shiftKey && name.length > 1 ? `Shift+${name}` : name
}

const caps: Readonly<Record<string, string>> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  Enter: '↵',
  Mod: 'Ctrl',
}

/** As the keys are to be pressed: a capital letter needs Shift, which it does not say on a keyboard of capitals. */
export function shownKeys(keys: string): string {
  return keys
    .split(/[ +]/)
    .map((name) => caps[name] ?? (/^[A-Z]$/.test(name) ? `Shift ${name}` : name))
    .join(' ')
}
