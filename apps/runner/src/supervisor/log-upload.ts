import { statSync } from 'node:fs'
import { sleep } from '@svc/client/retry'
import { isServiceError } from '@svc/contracts/errors'
import { limits } from '@svc/contracts/limits'
import { readPart } from '../files/read-part.ts'
import type { CappedOutput } from '../output/capped-output.ts'
import { type Run, isLeaseLost } from '../run/run.ts'
import { isFinalForRunner, untilReached } from '../run/until-reached.ts'

const everyMs = 1_000

export interface LogUpload {
  /** Sends what is left, the kept end included. */
  finish: () => Promise<void>
}

/** Sends the output to the service every second, by offset; what lies between beginning and end is announced. */
export function startLogUpload(run: Run, output: CappedOutput): LogUpload {
  const ending = new AbortController()
  const signal = AbortSignal.any([ending.signal, run.fence])
  let sent = 0
  /** The service keeps no more of it: its operator has set another limit since the run began. */
  let isFull = false

  async function sendHead(): Promise<void> {
    while (!isFull && sent < output.headLength()) {
      const { bytes, skipped } = output.head(sent, limits.logChunkBytes)
      await send(sent + skipped, skipped, bytes)
    }
  }

  async function sendTail(): Promise<void> {
    const head = output.headLength()
    const { bytes, skipped } = output.tail()
    const start = head + skipped
    for (let at = 0; !isFull && at < bytes.length; at += limits.logChunkBytes) {
      const chunk = bytes.subarray(at, at + limits.logChunkBytes)
      await send(start + at, at === 0 ? skipped : 0, chunk)
    }
    const end = start + bytes.length
    if (isFull) await append(run, end, end - sent, Buffer.alloc(0))
  }

  async function send(offset: number, skipped: number, bytes: Uint8Array): Promise<void> {
    try {
      sent = await append(run, offset, skipped, bytes)
    } catch (error) {
      if (!isServiceError(error) || error.code !== 'too_large') throw error
      isFull = true
    }
  }

  async function repeat(): Promise<void> {
    while (!signal.aborted) {
      await sleep(everyMs, signal)
      await sendHead()
    }
  }

  const repeating = repeat().catch((error: unknown) => {
    if (!signal.aborted) run.log.warn({ err: error }, 'the output is no longer uploaded')
  })

  return {
    async finish() {
      // A pass that is under way ends by itself: it is the same bytes that are sent here.
      ending.abort(new Error('the output is complete'))
      await repeating
      await sendHead()
      await sendTail()
    },
  }
}

/** What the supervisor of a run kept on the disk, and did not come to send before it was lost. */
export async function uploadKept(run: Run, file: string, headBytes: number): Promise<void> {
  const length = Math.min(statSync(file, { throwIfNoEntry: false })?.size ?? 0, headBytes)
  // nothing is appended by it, and the answer says how far the service has it
  let at = await append(run, 0, 0, Buffer.alloc(0))
  while (at < length) {
    const bytes = readPart(file, at, Math.min(limits.logChunkBytes, length - at))
    if (bytes === undefined || bytes.length === 0) return
    at = await append(run, at, 0, bytes)
  }
}

/** The offset from which the service wants to go on. */
async function append(
  run: Run,
  offset: number,
  skipped: number,
  bytes: Uint8Array,
): Promise<number> {
  const request = {
    id: run.requestId,
    'x-svc-lease': run.order.leaseToken,
    'x-svc-offset': offset,
    'x-svc-skipped': skipped,
    bytes,
  }
  try {
    const answer = await untilReached(
      (options) => run.client.call('appendRunLog', request, options),
      { signal: run.fence, pace: run.pace },
      isFinalForRunner,
    )
    return Math.max(answer.nextOffset, offset + bytes.length)
  } catch (error) {
    if (isLeaseLost(error)) run.supersede()
    const expected = isServiceError(error) ? error.details?.['expected'] : undefined
    if (typeof expected === 'number' && expected !== offset) return expected
    throw error
  }
}
