import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { createCappedOutput, outputLimitsOf } from '../output/capped-output.ts'
import { createMasker } from '../output/mask.ts'
import type { Run } from '../run/run.ts'
import { startLogUpload } from './log-upload.ts'

/** Where a run folder has what its run printed, masked. */
export const outputFile = 'output.log'

const drainMs = 2_000

/** All that the processes of a run print, masked, kept and uploaded as it comes. */
export interface RunOutput {
  /** What is masked already. */
  show: (text: string) => void
  read: (child: ChildProcess, listeners?: Listeners) => OutputReader
  /** From now on these are masked. */
  mask: (spellings: readonly string[]) => void
  /** The last characters. */
  last: (bytes: number) => string
  /** No more is read, and what was held back is shown. */
  close: () => Promise<void>
  /** Sends what is left. */
  finishUpload: () => Promise<void>
}

interface Listeners {
  /** Is given each chunk of standard output as it was written. */
  raw?: (chunk: Buffer) => void
  /** The same of standard error. */
  rawErrors?: (chunk: Buffer) => void
  shown?: (bytes: Buffer) => void
  /** Before any of what has come is masked. */
  arriving?: () => void
  /** Takes standard output in place of the log, and shows what of it belongs there. */
  instead?: OutputFilter
}

export interface OutputFilter {
  push: (chunk: Buffer) => void
  end: () => void
}

export interface OutputReader {
  /** Both streams have ended, or processes that were left behind hold them and keep silent. */
  settled: () => Promise<void>
}

export function openRunOutput(run: Run, known: readonly string[]): RunOutput {
  let spellings = known

  const limits = outputLimitsOf(run.order.logBytes)
  const output = createCappedOutput(join(run.folder, outputFile), limits)
  const upload = startLogUpload(run, output)
  const streams: ReadStream[] = []

  function readStream(stream: Readable, { shown, arriving }: Listeners): ReadStream {
    // Each stream has its own masker, so that what one holds back is not mixed into the other.
    let masked = spellings
    let masker = createMasker(masked)
    const show = (bytes: Buffer) => {
      output.write(bytes)
      shown?.(bytes)
    }
    stream.on('data', (chunk: Buffer) => {
      arriving?.()
      if (masked !== spellings) {
        const held = masker.end()
        masked = spellings
        masker = createMasker(masked)
        show(masker.push(held))
      }
      show(masker.push(chunk))
    })
    const closed = new Promise<void>((resolve) => {
      stream.once('close', () => {
        show(masker.end())
        resolve()
      })
    })
    return { stream, closed }
  }

  return {
    show: (text) => output.write(Buffer.from(text)),
    read({ stdout, stderr }, { instead, ...listeners } = {}) {
      if (listeners.raw) stdout?.on('data', listeners.raw)
      if (listeners.rawErrors) stderr?.on('data', listeners.rawErrors)
      const read = [
        stdout && (instead ? readInstead(stdout, instead) : readStream(stdout, listeners)),
        stderr && readStream(stderr, listeners),
      ].filter((one) => one !== null)
      streams.push(...read)
      return { settled: () => untilSettled(read) }
    },
    mask: (all) => (spellings = all),
    last: (bytes) => output.last(bytes),
    async close() {
      await untilSettled(streams)
      for (const { stream } of streams) stream.destroy()
      await Promise.all(streams.map(({ closed }) => closed))
      output.finish()
    },
    finishUpload: () => upload.finish(),
  }
}

function readInstead(stream: Readable, { push, end }: OutputFilter): ReadStream {
  stream.on('data', push)
  const closed = new Promise<void>((resolve) => {
    stream.once('close', () => {
      end()
      resolve()
    })
  })
  return { stream, closed }
}

interface ReadStream {
  stream: Readable
  closed: Promise<void>
}

async function untilSettled(streams: readonly ReadStream[]): Promise<void> {
  const waiting = new AbortController()
  const { signal } = waiting
  const drained = sleep(drainMs, undefined, { signal }).catch(() => undefined)
  await Promise.race([Promise.all(streams.map(({ closed }) => closed)), drained])
  waiting.abort()
}
