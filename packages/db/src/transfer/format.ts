import { createHash } from 'node:crypto'
import { z } from 'zod'

/**
 * The file, gzipped: a line of JSON that says what it is; for each table a line of its name and columns, its rows in
 * PostgreSQL's own text of COPY, and the line `\.`, which is no row's; a line of the sequences; and a last one that
 * counts the rows and has the hash of every line before it.
 */
export const formatVersion = 1

export const Header = z.object({
  format: z.literal('svc-export'),
  formatVersion: z.number(),
  takenAt: z.string(),
  version: z.array(z.string()),
  tables: z.array(z.string()),
})
export const TableStart = z.object({ table: z.string(), columns: z.array(z.string()) })
export const Sequences = z.object({ sequences: z.record(z.string(), z.string()) })
export const Trailer = z.object({ rows: z.record(z.string(), z.number()), sha256: z.string() })

export const lineOf = (value: object): Buffer => Buffer.from(`${JSON.stringify(value)}\n`)
export const endOfRows = Buffer.from('\\.\n')
const rowAndEnd = Buffer.from('\n\\.\n')

/** Its message is a sentence that says what to do. */
export class TransferError extends Error {
  override readonly name = 'TransferError'
}

export function damaged(what: string, cause?: unknown): TransferError {
  return new TransferError(
    `The file is no whole export (${what}): nothing was imported. Copy it again from where it was taken, or export anew.`,
    { cause },
  )
}

export interface ExportReader {
  line<T>(shape: z.ZodType<T>): Promise<T>
  /** As they came, to the end of this table. */
  rows(): AsyncGenerator<Buffer>
  trailer(): Promise<z.infer<typeof Trailer>>
}

export function readExport(source: AsyncIterable<Buffer>): ExportReader {
  const chunks = source[Symbol.asyncIterator]()
  const hash = createHash('sha256')
  let held: Buffer = Buffer.alloc(0)

  async function more(): Promise<void> {
    const next = await chunks.next().catch((error: unknown) => {
      throw damaged(error instanceof Error ? error.message : 'it cannot be read', error)
    })
    if (next.done === true) throw damaged('it ends too early')
    held = held.length === 0 ? next.value : Buffer.concat([held, next.value])
  }
  function take(length: number): Buffer {
    const taken = held.subarray(0, length)
    held = held.subarray(length)
    hash.update(taken)
    return taken
  }
  async function text(): Promise<Buffer> {
    while (!held.includes('\n')) await more()
    return held.subarray(0, held.indexOf('\n') + 1)
  }
  return {
    async line(shape) {
      const found = await text()
      take(found.length)
      return parsed(shape, found)
    },
    async *rows() {
      while (held.length < endOfRows.length) await more()
      if (!held.subarray(0, endOfRows.length).equals(endOfRows)) {
        for (;;) {
          const end = held.indexOf(rowAndEnd)
          if (end !== -1) {
            yield take(end + 1)
            break
          }
          // the end may have begun
          if (held.length > rowAndEnd.length) yield take(held.length - rowAndEnd.length)
          await more()
        }
      }
      take(endOfRows.length)
    },
    async trailer() {
      const found = await text()
      const trailer = parsed(Trailer, found)
      if (hash.digest('hex') !== trailer.sha256) throw damaged('its checksum is another')
      held = held.subarray(found.length)
      const after =
        held.length > 0 ? { done: false } : await chunks.next().catch(() => ({ done: false }))
      if (after.done !== true) throw damaged('something follows its end')
      return trailer
    },
  }
}

function parsed<T>(shape: z.ZodType<T>, line: Buffer): T {
  try {
    return shape.parse(JSON.parse(line.toString()))
  } catch (error) {
    throw damaged('a line of it says nothing', error)
  }
}
