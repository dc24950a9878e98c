import type { Client } from '@svc/client/client'
import { fitTogether, version } from '@svc/contracts/version'
import type { Cli } from '../cli.ts'
import type { Credentials } from '../credentials.ts'
import { otherVersion } from '../output/other-version.ts'
import { type Check, fail, ok, warn } from './check.ts'

const answerMs = 10_000
const muchSeconds = 30

/** Whether it answers, how old it is, and how its clock differs. */
export async function checkService(
  cli: Cli,
  { baseUrl }: Credentials,
  start: string | undefined,
): Promise<Check[]> {
  const before = Date.now()
  const ready = await fetchWithin(`${baseUrl}/readyz`)
  if (ready === undefined) {
    const silent = `${baseUrl} does not answer`
    return [
      start === undefined
        ? fail('service', `${silent}; where the address comes from`, 'svc whoami --help')
        : fail('service', silent, start),
    ]
  }
  const middle = (before + Date.now()) / 2
  const state = ready.ok
    ? ok('service', `${baseUrl} is ready`)
    : fail('service', `${baseUrl} is not ready: it answers ${ready.status}; see docs/operations.md`)
  return [state, ...checkClock(ready.headers.get('date'), middle), await checkVersion(cli, baseUrl)]
}

/** The header has whole seconds. */
function checkClock(date: string | null, here: number): Check[] {
  if (date === null) return []
  const seconds = Math.round((Date.parse(date) - here) / 1000)
  const text = `the service is ${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead'}`
  if (Math.abs(seconds) < muchSeconds) return [ok('clock', text)]
  return [warn('clock', `${text}: set the clock of this machine, or of the service`)]
}

async function checkVersion(cli: Cli, baseUrl: string): Promise<Check> {
  const answer = await fetchWithin(`${baseUrl}/api/openapi.json`)
  const document: unknown = answer?.ok ? await answer.json() : undefined
  const served = versionIn(document)
  if (served === undefined) return warn('service version', 'it does not say its version')
  if (fitTogether(served, version)) return ok('service version', served)
  return warn('service version', otherVersion(cli, served))
}

function versionIn(document: unknown): string | undefined {
  const info =
    typeof document === 'object' && document !== null && 'info' in document ? document.info : null
  if (typeof info !== 'object' || info === null || !('version' in info)) return undefined
  return typeof info.version === 'string' ? info.version : undefined
}

async function fetchWithin(url: string): Promise<Response | undefined> {
  try {
    return await fetch(url, { signal: AbortSignal.timeout(answerMs), redirect: 'manual' })
  } catch {
    return undefined
  }
}

export async function checkCredential(client: Client, { source }: Credentials): Promise<Check> {
  const me = await client.call('getMe', {}, { signal: AbortSignal.timeout(answerMs) })
  const text = `${me.user.name}, ${me.role} in ${me.workspace.slug}, by ${source}`
  if (me.token === null) return ok('credential', text)
  const days = Math.floor((Date.parse(me.token.expiresAt) - Date.now()) / 86_400_000)
  if (days >= 7) return ok('credential', text)
  return warn('credential', `${text}; the token ends in ${days} days`, 'svc tokens create --help')
}
