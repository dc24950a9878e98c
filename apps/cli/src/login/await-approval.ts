import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '@svc/client/client'
import type { LoginAnswer, LoginRequest } from '@svc/contracts/login-request'
import { type Cli, say } from '../cli.ts'
import { exitCode } from '../output/exit-codes.ts'
import { CommandFailure, isUnreachable } from '../output/failure.ts'

type Granted = NonNullable<LoginAnswer['granted']>

/** Polls until somebody has decided, and says now and then that it still waits. */
export async function awaitApproval(
  cli: Cli,
  client: Client,
  { request, verifier }: { request: LoginRequest; verifier: string },
): Promise<Granted> {
  const end = Date.parse(request.expiresAt)
  let minutesShown = minutesUntil(end)
  for (;;) {
    const answer = await poll(client, request.id, verifier)
    if (answer?.granted) return answer.granted
    if (answer?.state === 'denied') throw denied()
    if (answer?.state === 'expired' || Date.now() > end + clockMs) throw expired()
    const minutes = minutesUntil(end)
    if (minutes > 0 && minutes < minutesShown) say(cli, `Still waiting: ${minutes} min left.`)
    minutesShown = minutes
    await delay(request.pollSeconds * 1000, undefined, { signal: cli.signal })
  }
}

/** The clocks of two machines differ, and the service is the one that says when it is over. */
const clockMs = 60_000

function minutesUntil(end: number): number {
  return Math.ceil((end - Date.now()) / 60_000)
}

/** Undefined while the service is away: it may come back before the time is over. */
async function poll(
  client: Client,
  id: string,
  verifier: string,
): Promise<LoginAnswer | undefined> {
  return client.call('pollLoginRequest', { id, verifier }).catch((error: unknown) => {
    if (isUnreachable(error)) return undefined
    throw error
  })
}

function denied(): CommandFailure {
  return new CommandFailure('denied', 'It was denied. Nobody is signed in.', exitCode.credential)
}

function expired(): CommandFailure {
  const message = 'Nobody approved it in time, or the request was ended: run svc login again.'
  return new CommandFailure('expired', message, exitCode.credential)
}
