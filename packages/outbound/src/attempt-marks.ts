import { AsyncLocalStorage } from 'node:async_hooks'
import { channel } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'

export type Phase = 'dns' | 'connect' | 'tls' | 'head' | 'body'

/** Milliseconds each phase took; absent where it was not reached, or the connection was reused. */
export interface Timings {
  dns?: number
  connect?: number
  tls?: number
  head?: number
  total: number
}

/** What an attempt learns from the connector, which is not told whose connection it makes. */
export interface AttemptMarks {
  resolved: () => void
  connected: () => void
  sent: (address: string | undefined) => void
  answered: () => void
  phase: () => Phase
  address: () => string | undefined
  timings: () => Timings
}

export const attemptMarks = new AsyncLocalStorage<AttemptMarks>()

channel('undici:client:sendHeaders').subscribe((message) => {
  // undici documents the message: { request, headers, socket }.
  const { socket } = message as { socket: Socket }
  attemptMarks.getStore()?.sent(socket.remoteAddress)
})

export function createAttemptMarks(isTls: boolean): AttemptMarks {
  const startedAt = performance.now()
  const timings: Omit<Timings, 'total'> = {}
  let phase: Phase = 'dns'
  let lastAt = startedAt
  let peer: string | undefined
  const end = (ended: Exclude<Phase, 'body'>, next: Phase) => {
    const now = performance.now()
    timings[ended] = round(now - lastAt)
    phase = next
    lastAt = now
  }
  return {
    resolved: () => end('dns', 'connect'),
    connected: () => end('connect', isTls ? 'tls' : 'head'),
    sent: (address) => {
      if (phase === 'tls') end('tls', 'head')
      phase = 'head'
      lastAt = performance.now()
      peer = address
    },
    answered: () => end('head', 'body'),
    phase: () => phase,
    address: () => peer,
    timings: () => ({ ...timings, total: round(performance.now() - startedAt) }),
  }
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10
}
