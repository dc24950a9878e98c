import { sleep } from '@svc/client/retry'
import { isServiceError } from '@svc/contracts/errors'
import { limits } from '@svc/contracts/limits'
import type { CappedOutput } from '../output/capped-output.ts'
import { type Run, isLeaseLost } from '../run/run.ts'
import { untilReached } from '../run/until-reached.ts'

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

  async function sendHead(): Promise<void> {
    const head = output.head()
    while (sent < head.length) {
      const bytes = head.subarray(sent, sent + limits.logChunkBytes)
      sent = await append(run, sent, 0, bytes)
    }
  }

  async function sendTail(): Promise<void> {
    const head = output.head().length
    const { bytes, skipped } = output.tail()
    const start = head + skipped
    for (let at = 0; at < bytes.length; at += limits.logChunkBytes) {
      const chunk = bytes.subarray(at, at + limits.logChunkBytes)
      await append(run, start + at, at === 0 ? skipped : 0, chunk)
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
      {
        signal: run.fence,
        pace: run.pace,
      },
    )
    return Math.max(answer.nextOffset, offset + bytes.length)
  } catch (error) {
    if (isLeaseLost(error)) run.supersede()
    const expected = isServiceError(error) ? error.details?.['expected'] : undefined
    if (typeof expected === 'number' && expected !== offset) return expected
    throw error
  }
}
