import { type Store, createStore } from '../../../data/store.ts'
import { type Held, fromOf, nothingHeld, rowsOf, toOf, withPiece } from './held.ts'
import { grown, pieceBytes } from './piece.ts'
import { type ReadPart, pieceStart, readPiece, readRange } from './read-log.ts'
import { takeTurns } from './turns.ts'

export interface LogState {
  held: Held
  /** The first answer is there. */
  isRead: boolean
  error: Error | undefined
}

/** A log as a page looks at it: from one place on, towards both of its ends. */
export interface OpenLog {
  readonly state: Store<LogState>
  /** The piece before what is held, and the one behind it. */
  older: () => void
  newer: () => void
  /** What holds the byte is held afterwards; rejects where that cannot be read. */
  goTo: (offset: number) => Promise<void>
  toEnd: () => Promise<void>
  /** The output ends there by now; what is held up to its end goes on to the new one. */
  grew: (length: number) => void
  /** Asks how far it goes: something may have been missed. */
  look: () => void
  /** Begins anew at its end: the run was claimed anew. */
  restart: () => void
  again: () => void
  stop: () => void
}

/** What came in less is read piece by piece; of more, only the end. */
const mostBehind = 4 * pieceBytes

/** Opens it at its end, or at a byte. */
export function openLog(read: ReadPart, at: number | undefined): OpenLog {
  const state = createStore<LogState>({ held: nothingHeld, isRead: false, error: undefined })
  const ending = new AbortController()
  const { signal } = ending
  const turns = takeTurns(signal, (error) => state.set({ ...state.get(), error }))
  /** How far it goes as the feed has told it, which may be farther than an answer that was asked for before. */
  let told = 0

  const held = () => state.get().held
  const keep = (next: Held) => {
    if (signal.aborted) return
    const length = Math.max(next.length, told)
    state.set({ held: { ...next, length }, isRead: true, error: undefined })
  }
  const take = async (from: number, base?: Held): Promise<void> => {
    const { piece, length } = await readPiece(read, from, signal)
    const before = { ...(base ?? held()), length }
    keep(piece.to > piece.from ? withPiece(before, piece) : before)
  }
  const lengthNow = async () => (await read({ tail: 1, bytes: 1 }, signal)).length
  const begin = async (offset: number, length: number): Promise<void> => {
    const start = pieceStart(Math.min(offset, Math.max(0, length - 1)))
    await take(start, { ...nothingHeld, lines: held().lines })
    // its line may begin in the piece before
    const first = rowsOf(held()).startOf(0)
    const isShort = length - start < pieceBytes / 16
    if (start > 0 && (first > offset || isShort)) await take(start - pieceBytes)
  }
  const beginAtEnd = async () => {
    const length = await lengthNow()
    await begin(length, length)
  }
  const catchUp = async (): Promise<void> => {
    const { length, pieces } = held()
    const piece = pieces.at(-1)
    if (piece === undefined || length - piece.to > mostBehind) return beginAtEnd()
    if (piece.to >= length) return
    const end = Math.min(piece.from + pieceBytes, length)
    if (piece.to === end) await take(piece.to)
    else {
      const more = await readRange(read, piece.to, end, signal)
      const longer = grown(piece, more.to, more.segments)
      keep({ ...withPiece(held(), longer), length: more.length })
    }
    if (toOf(held()) > piece.to) await catchUp()
  }
  const restart = () => {
    told = 0
    keep(nothingHeld)
    return beginAtEnd()
  }
  const look = () =>
    turns.soon('look', async () => {
      const isAtEnd = toOf(held()) >= held().length
      const length = await lengthNow()
      if (length < held().length) return restart()
      keep({ ...held(), length })
      if (isAtEnd) await catchUp()
    })

  turns.soon('open', async () => (at === undefined ? beginAtEnd() : begin(at, await lengthNow())))
  return {
    state,
    older: () => {
      if (fromOf(held()) === 0) return
      turns.soon('older', async () => {
        const from = fromOf(held())
        if (from > 0) await take(from - pieceBytes)
      })
    },
    newer: () => {
      if (toOf(held()) >= held().length) return
      turns.soon('newer', async () => {
        const to = toOf(held())
        if (to < held().length) await take(pieceStart(to))
      })
    },
    goTo: (offset) =>
      turns.take(`go ${offset}`, async () => {
        const isHeld = offset >= rowsOf(held()).startOf(0) && offset < toOf(held())
        if (!isHeld) await begin(offset, held().length)
      }),
    toEnd: () =>
      turns.take('end', async () => {
        const { length } = held()
        if (length - toOf(held()) > mostBehind) await beginAtEnd()
        else await catchUp()
      }),
    grew: (length) => {
      const known = held()
      if (!state.get().isRead) return look()
      if (length <= known.length) return
      told = length
      const isAtEnd = toOf(known) >= known.length
      keep(known)
      if (isAtEnd) turns.soon('grew', catchUp)
    },
    look,
    restart: () => turns.soon('restart', restart),
    again: turns.again,
    stop: () => ending.abort(),
  }
}
