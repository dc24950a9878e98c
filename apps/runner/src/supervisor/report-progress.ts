import { sleep } from '@svc/client/retry'
import type { AgentSession } from '../run/agent-session.ts'
import type { Run } from '../run/run.ts'

/** Often enough for somebody who watches, and rare enough to be read afterwards. */
const everySeconds = 10

interface Work {
  session: AgentSession
  /** What has been done since; undefined where nothing has. */
  take: () => string | undefined
  signal: AbortSignal
}

/**
 * Tells people how far an agent has come that does not tell it itself, once it has attached. Nothing waits for it, and
 * what cannot be said is not said.
 */
export async function reportProgress(
  { order }: Pick<Run, 'order'>,
  { session, take, signal }: Work,
): Promise<void> {
  // where heartbeats are faster, as in tests, all is faster in proportion
  const ms = Math.min(everySeconds, order.heartbeatSeconds) * 1000
  while (!signal.aborted) {
    await sleep(ms, signal)
    if (session.key() === undefined || session.holdsAnswers()) continue
    const text = take()
    if (text === undefined) continue
    const goesOn = await session.update(text, signal)
    if (!goesOn) return
  }
}
