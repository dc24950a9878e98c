import { type LookupFunction, Socket, isIP } from 'node:net'
import { Agent, Pool, buildConnector } from 'undici'
import { attemptMarks } from './attempt-marks.ts'
import { type Policy, type Target, mayReach, targetOf } from './policy.ts'

export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError'

  constructor() {
    super('The host leads to an address that may not be reached.')
  }
}

const agents = new WeakMap<Policy, Agent>()

/** The policy's agent. It judges every connection, so one that is kept open was judged as well. */
export function agentOf(policy: Policy): Agent {
  const known = agents.get(policy)
  if (known) return known
  const agent = new Agent({
    factory: (origin) => new Pool(origin, poolOptions(targetOf(new URL(origin), policy), policy)),
  })
  agents.set(policy, agent)
  return agent
}

/** Ends the policy's connections; attempts in flight are cut. */
export async function closeAgent(policy: Policy): Promise<void> {
  const agent = agents.get(policy)
  agents.delete(policy)
  await agent?.destroy()
}

function poolOptions(target: Target, policy: Policy): Pool.Options {
  return {
    connect: guardedConnector(target, policy),
    maxHeaderSize: 16_384,
    pipelining: 1,
    // What a receiver says of its own patience is kept to, up to the longer time.
    keepAliveTimeout: 15_000,
    keepAliveMaxTimeout: 60_000,
    allowH2: false,
  }
}

/** `base` makes the connection that is judged. */
export function guardedConnector(
  target: Target,
  policy: Policy,
  base: buildConnector.connector = buildConnector({
    lookup: guardedLookup(target, policy),
    timeout: 3000,
    autoSelectFamily: true,
    allowH2: false,
  }),
): buildConnector.connector {
  return (options, callback) => {
    const marks = attemptMarks.getStore()
    if (isIP(target.host)) {
      // No lookup is asked for a literal.
      if (!mayReach(target, target.host, policy)) return callback(new BlockedAddressError(), null)
      marks?.resolved()
    }
    const socket: unknown = base(options, (error, connected) => {
      if (error) return callback(error, null)
      const wrong = checkPeer(connected, target, policy)
      if (!wrong) return callback(null, connected)
      connected.destroy()
      return callback(wrong, null)
    })
    // undici gives it back without saying so; nothing but the phase in a report depends on it.
    if (socket instanceof Socket) socket.prependOnceListener('connect', () => marks?.connected())
  }
}

function guardedLookup(target: Target, policy: Policy): LookupFunction {
  return (host, _options, callback) => {
    const marks = attemptMarks.getStore()
    policy.resolve(host, target.entries.length > 0).then(
      (addresses) => {
        marks?.resolved()
        const areGood = addresses.every((address) => mayReach(target, address, policy))
        if (!areGood) return callback(new BlockedAddressError(), [])
        return callback(
          null,
          addresses.map((address) => ({ address, family: isIP(address) })),
        )
      },
      (error: Error) => callback(error, []),
    )
  }
}

function checkPeer(socket: Socket, target: Target, policy: Policy): Error | undefined {
  const peer = socket.remoteAddress
  if (peer === undefined) {
    return Object.assign(new Error('The peer has closed.'), { code: 'ECONNRESET' })
  }
  return mayReach(target, peer, policy) ? undefined : new BlockedAddressError()
}
