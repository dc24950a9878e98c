import type { AttachAnswer } from '@svc/contracts/context'
import type { ProtocolOutput, ProtocolRequest } from '@svc/contracts/protocol'
import type { Domain } from '../domain.ts'
import { type CallOptions, callerWith } from './caller.ts'

export type AgentStart = Partial<ProtocolRequest<'attach'>> & { device?: string }
type Said<N extends 'update' | 'heartbeat' | 'ask' | 'deliver'> = Partial<ProtocolRequest<N>>

/** An agent's process: it attaches once and speaks with the session key that it got then. */
export interface Agent {
  /** Empty until it has attached. */
  sessionKey(): string
  attach(changes?: AgentStart, options?: CallOptions): Promise<AttachAnswer>
  update(said?: Said<'update'>, options?: CallOptions): Promise<ProtocolOutput<'update'>>
  heartbeat(said?: Said<'heartbeat'>): Promise<ProtocolOutput<'heartbeat'>>
  ask(said?: Said<'ask'>, options?: CallOptions): Promise<ProtocolOutput<'ask'>>
  deliver(said?: Said<'deliver'>, options?: CallOptions): Promise<ProtocolOutput<'deliver'>>
}

/** `start` is what its environment names: the request that it is run for, or the mission that it was asked to join. */
export function agentWith(domain: Domain, token: string, start: AgentStart): Agent {
  const { protocol } = callerWith(domain, token)
  let sessionKey = ''
  return {
    sessionKey: () => sessionKey,
    async attach(changes, options) {
      const input = { agentIdentifier: 'scripted', ...start, ...changes }
      const context = await protocol('attach', input, options)
      sessionKey = context.sessionKey
      return context
    },
    update: (said, options) =>
      protocol('update', { sessionKey, text: 'A step is done.', ...said }, options),
    heartbeat: (said) => protocol('heartbeat', { sessionKey, ...said }),
    ask: (said, options) => {
      const question = said?.questionId === undefined ? 'Tabs or spaces?' : undefined
      return protocol('ask', { sessionKey, ...(question && { question }), ...said }, options)
    },
    deliver: (said, options) =>
      protocol('deliver', { sessionKey, summary: 'Done and checked.', ...said }, options),
  }
}
