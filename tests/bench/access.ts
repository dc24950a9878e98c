import { randomBytes, randomUUID } from 'node:crypto'
import { Agent } from 'node:http'
import { parseArgs } from 'node:util'
import { base62, tokenChecksum, tokenForms } from '@svc/contracts/token-form'
import { createLog } from '@svc/process/log'
import { send } from '@svc/tests/fuzz/send'
import { openThrowawayDatabase } from '@svc/tests/soak/database'
import { serveAll } from '@svc/tests/serve-all'
import { type AccessWorld, setUpAccess } from './access-world.ts'
import { median, say, table } from './figures.ts'

const help = `npm run bench access -- [--samples 300]

Whether the time of an answer tells what the answer itself does not: that somebody has an
account, that a token or a thing was ever there. And what good credentials cost next to bad
ones. Asked in turn over HTTP, of one API process next to this one's client, on a PostgreSQL
that waits for no disk. Medians in ms and their ratio; never judged: take them on a machine
that does nothing else.`

interface Ask {
  method: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  fields?: Record<string, string>
  status: number
}

interface Pair {
  name: string
  one: (sample: number) => Ask
  other: (sample: number) => Ask
}

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      samples: { type: 'string', default: '300' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return say(help)
  const samples = Number(values.samples)
  await using database = await openThrowawayDatabase({ clock: 'real' })
  const log = createLog({ name: 'bench', level: 'error' })
  await using api = await serveAll(database.url, { SVC_TRUSTED_PROXIES: '127.0.0.1' }, log)
  const world = await setUpAccess(api.domain, { baseUrl: api.url, samples })
  const ask = asker(api.url)
  const rows: string[][] = []
  for (const { name, one, other } of pairsOf(world)) {
    const times = { one: [] as number[], other: [] as number[] }
    for (let sample = 0; sample < samples; sample += 1) {
      const turns = [
        async () => times.one.push(await ask(one(sample))),
        async () => times.other.push(await ask(other(sample))),
      ]
      for (const turn of sample % 2 === 0 ? turns : turns.toReversed()) await turn()
    }
    const [known, unknown] = [median(times.one), median(times.other)]
    rows.push([name, known.toFixed(3), unknown.toFixed(3), (known / unknown).toFixed(3)])
  }
  table([['one / other', 'ms', 'ms', 'ratio'], ...rows])
}

/** Milliseconds of one answer. Each comes from a network of its own, so that no limit of a network is reached. */
function asker(url: string): (ask: Ask) => Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let asked = 0
  return async ({ method, path, headers = {}, fields, status }) => {
    asked += 1
    const network = `2001:db8:${(asked >> 16).toString(16)}:${(asked & 0xffff).toString(16)}::1`
    const form = fields && { origin: url, 'content-type': 'application/x-www-form-urlencoded' }
    const body = fields ? new URLSearchParams(fields).toString() : ''
    const all = Object.entries({ 'x-forwarded-for': network, ...form, ...headers })
    const from = performance.now()
    const answer = await send({ agent, url }, { method, path, headers: all.flat(), body })
    const took = performance.now() - from
    const got = typeof answer === 'object' ? answer.status : answer
    if (got !== status) throw new Error(`${method} ${path} answered ${got} and not ${status}`)
    return took
  }
}

/** Well-formed, and never made here. */
function strange(): string {
  const signs = Array.from(randomBytes(43), (byte) => base62.charAt(byte % base62.length))
  const body = tokenForms.minted.prefix + signs.join('')
  return body + tokenChecksum(body)
}

function pairsOf(world: AccessWorld): Pair[] {
  const signIn = (email: string): Ask => ({
    method: 'POST',
    path: '/signin',
    fields: { email, password: 'no phrase of anybody' },
    status: 403,
  })
  const nobody = () => signIn(`${randomUUID()}@example.com`)
  const me = (token: string, status: number): Ask => ({
    method: 'GET',
    path: '/api/me',
    headers: { authorization: `Bearer ${token}` },
    status,
  })
  const mission = (id: string): Ask => ({
    method: 'GET',
    path: `/api/missions/${id}`,
    headers: { authorization: `Bearer ${world.token}` },
    status: 404,
  })
  const link = (page: string, token: string, status: number): Ask => ({
    method: 'GET',
    path: `${page}?token=${token}`,
    status,
  })
  const secret = () => randomBytes(32).toString('base64url')
  return [
    {
      name: 'sign-in, wrong password: a person / nobody',
      one: (sample) => signIn(world.people[sample] ?? ''),
      other: nobody,
    },
    {
      name: 'sign-in, wrong password: a person of ten workspaces / nobody',
      one: (sample) => signIn(world.busyPeople[sample] ?? ''),
      other: nobody,
    },
    {
      name: 'sign-in: a person who has no password / nobody',
      one: (sample) => signIn(world.peopleWithout[sample] ?? ''),
      other: nobody,
    },
    {
      name: 'token: good / unknown',
      one: () => me(world.token, 200),
      other: () => me(strange(), 401),
    },
    {
      name: 'token: revoked / unknown',
      one: () => me(world.revoked, 401),
      other: () => me(strange(), 401),
    },
    {
      name: 'mission: foreign / unknown',
      one: () => mission(world.foreignMission),
      other: () => mission(randomUUID()),
    },
    {
      name: 'invitation: good / unknown',
      one: () => link('/invite', world.invitation, 200),
      other: () => link('/invite', secret(), 404),
    },
    {
      name: 'invitation: too old / unknown',
      one: () => link('/invite', world.oldInvitation, 404),
      other: () => link('/invite', secret(), 404),
    },
    {
      name: 'reset link: good / unknown',
      one: () => link('/reset', world.reset, 200),
      other: () => link('/reset', secret(), 404),
    },
    {
      name: 'reset link: too old / unknown',
      one: () => link('/reset', world.oldReset, 404),
      other: () => link('/reset', secret(), 404),
    },
  ]
}
