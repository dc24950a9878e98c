import { hasRoom } from './claim-all.ts'
import { fatalRefusal } from './daemon-error.ts'
import { type State, drain } from './state.ts'

/**
 * Says that the runner is there, also while it has no room and does not claim. One that begins with claims is known by
 * the first; one that is full of runs of its predecessor hears by this alone that the service refuses it.
 */
export async function beat(state: State): Promise<void> {
  if (!state.isKnown && hasRoom(state)) return
  const { client, context, runs, max } = state
  const { instanceId } = context.identity
  try {
    const capacity = { max, running: runs.running() }
    const answer = await client.call(
      'heartbeatRunner',
      { instanceId, leases: [], capacity },
      { signal: AbortSignal.timeout(10_000), retry: { attempts: 1 } },
    )
    if (answer.directives.some(({ type }) => type === 'drain')) drain(state)
  } catch (error) {
    const fatal = fatalRefusal(error)
    if (fatal !== undefined) drain(state, fatal)
    else state.options.log.warn({ err: error }, 'the service did not answer a heartbeat')
  }
}

/** Says that it is gone for good; else it stands among the runners until it was silent for a minute. */
export async function leave({ client, context, isKnown, options }: State): Promise<void> {
  if (!isKnown) return
  const { instanceId } = context.identity
  const signal = AbortSignal.timeout(10_000)
  try {
    await client.call('heartbeatRunner', { instanceId, leases: [], leaving: true }, { signal })
  } catch (error) {
    options.log.warn({ err: error }, 'the service was not told that this runner is gone')
  }
}
