import { createHash } from 'node:crypto'
import { authenticate } from '@svc/domain/access/authenticate'
import { inTransaction } from '@svc/domain/commit/transaction'
import type { Domain } from '@svc/domain/domain'
import { routeHandlers } from '@svc/domain/handlers/routes'
import { createResetLinkOnServer } from '@svc/domain/members/reset-links'
import { findResetLink } from '@svc/domain/members/reset-password'
import { approveRequest } from '@svc/domain/oauth/approve'
import { registerClient } from '@svc/domain/oauth/clients'
import { exchangeCode } from '@svc/domain/oauth/exchange'
import { storeRequest } from '@svc/domain/oauth/requests'
import { authenticatePerson } from '@svc/domain/people/access/authenticate'
import { startSignIn } from '@svc/domain/people/sign-ins'
import { createLog } from '@svc/process/log'
import { DomainEnvironment, openDomainOf } from '@svc/service/domain'
import { createTestDatabase } from '@svc/testing/database'
import { type Lease, runnerWith } from '@svc/domain/testing/runner'
import { tokenForObjective } from '@svc/domain/testing/stored'
import { type World, openWorld } from '@svc/domain/testing/world'
import { secretKeys } from '@svc/domain/testing/open-process'
import { expect, test as base } from 'vitest'
import { RestoreInput, runAfterRestore } from './after-restore.ts'

const log = createLog({ name: 'test', level: 'silent' })
const unauthenticated = { code: 'unauthenticated' }
const baseUrl = 'https://svc.example'
const origin = { from: '192.0.2.7', origin: baseUrl }

/** A backup of a service at work, and what was handed out before it was taken. */
// oxlint-disable-next-line no-empty-pattern -- vitest reads here which other fixtures are needed: none
const test = base.extend('backup', { scope: 'file' }, async ({}, { onCleanup }) => {
  const opened = new AsyncDisposableStack()
  onCleanup(() => opened.disposeAsync())
  const database = opened.use(await createTestDatabase())
  const out = await workOn(database.connectionString)
  return {
    out,
    putBack: async () => opened.use(await database.copy()).connectionString,
  }
})

async function workOn(databaseUrl: string) {
  await using world = await openWorld(databaseUrl)
  const { domain, alice, bob } = world
  const { mission } = await world.missionWith(['running', 'waiting'], {
    allowParallelObjectives: true,
  })
  const [running, waiting] = mission.objectives
  const { runner, lease } = await world.attachedRun(running)
  const { executionRequest: queued } = await alice.launch(waiting)
  const { userId } = await bob.actor()
  const cookie = await inTransaction({ domain }, (tx) =>
    startSignIn(tx, domain.keys, { userId, browser: 'a browser', from: undefined, by: 'a test' }),
  )
  const { link } = await createResetLinkOnServer(domain, { email: 'bob@example.com', baseUrl })
  const challenge = createHash('sha256').update('a verifier').digest('base64url')
  const order = { challenge, device: 'a laptop' }
  await routeHandlers.createLoginRequest({ domain }, origin, order)
  return {
    running,
    queued,
    lease,
    fingerprint: runner.fingerprint,
    token: bob.token,
    ofRun: (await tokenForObjective(world, bob, running)).token,
    cookie: cookie.secret,
    reset: new URL(link).searchParams.get('token') ?? '',
    code: await approvedCode(domain, cookie.secret, (await bob.actor()).workspaceId),
  }
}

const verifier = 'v'.repeat(43)
const resource = `${baseUrl}/mcp`
const redirectUri = 'http://127.0.0.1/back'

async function approvedCode(domain: Domain, cookie: string, workspaceId: string) {
  const client = await registerClient({ domain }, { redirect_uris: [redirectUri] })
  const handle = await storeRequest(
    { domain },
    {
      clientId: client.id,
      clientName: client.name,
      redirectUri,
      state: undefined,
      challenge: createHash('sha256').update(verifier).digest('base64url'),
      resource,
    },
  )
  const person = await authenticatePerson(domain, cookie)
  const { code } = await approveRequest({ domain }, person, { handle, workspaceId, resource })
  return { clientId: client.id, code, redirectUri, verifier, resources: [] }
}

/** What the command prints, in the words of a program. */
async function afterRestore(databaseUrl: string, options: object) {
  const said: string[] = []
  const say = { stdout: (text: string) => void said.push(text), stderr: () => undefined }
  const input = RestoreInput.parse({ json: true, ...options })
  await runAfterRestore(environmentOf(databaseUrl), { log, input, say })
  return JSON.parse(said.join('')) as unknown
}

function environmentOf(databaseUrl: string): DomainEnvironment {
  return DomainEnvironment.parse({
    DATABASE_URL: databaseUrl,
    SVC_SECRET_KEYS: secretKeys,
    SVC_NOTIFY: 'off',
  })
}

/** A runner that had claimed what is queued in the backup, after it was taken. */
async function leaseSince({ domain, alice }: World, { id }: { id: string }): Promise<Lease> {
  const { projectId } = await alice.request({ id })
  const runner = runnerWith(domain, alice.token, { projectIds: [projectId] })
  return runner.take()
}

test('what was revoked, used or ended since is dead again after a backup is restored', async ({
  backup: { out, putBack },
}) => {
  await using lost = await openWorld(await putBack())
  const since = await leaseSince(lost, out.queued)
  const { credential } = await authenticate(lost.domain, out.token, 'api')
  await exchangeCode({ domain: lost.domain }, out.code, resource)
  await lost.bob.call('revokeUserToken', { id: credential.id })
  await expect(authenticate(lost.domain, out.token, 'api')).rejects.toMatchObject(unauthenticated)

  const url = await putBack()
  await using domain = await openDomainOf(environmentOf(url), { log })
  const counted = { sessions: 1, codes: 1, links: 1, logins: 1, leases: 2, violations: [] }
  expect(await afterRestore(url, {})).toMatchObject({ ...counted, isDry: true })
  await expect(authenticate(domain, out.token, 'api')).resolves.toBeDefined()

  expect(await afterRestore(url, { yes: true })).toMatchObject({ ...counted, isDry: false })
  await expect(authenticate(domain, out.token, 'api')).rejects.toMatchObject(unauthenticated)
  await expect(authenticatePerson(domain, out.cookie)).rejects.toMatchObject(unauthenticated)
  await expect(findResetLink(domain, out.reset)).rejects.toMatchObject({ code: 'not_found' })
  await expect(exchangeCode({ domain }, out.code, resource)).rejects.toMatchObject({
    word: 'invalid_grant',
  })

  await using world = await openWorld(url)
  const { alice } = world
  const { projectId } = await alice.request(out.queued)
  const runner = runnerWith(world.domain, alice.token, { projectIds: [projectId] })
  expect((await runner.take()).generation).toBeGreaterThan(since.generation)
  for (const lease of [out.lease, since]) {
    expect(await runner.heartbeat(lease)).toEqual([
      { requestId: lease.id, ok: false, reason: 'superseded' },
    ])
  }
  const { entries } = await alice.call('listAudit', { action: 'backup.restored' })
  expect(entries).toMatchObject([{ actor: null, targetId: world.workspaceId }])
})

test('a run that was under way counts as lost once its lease is over, and its objective is launched anew', async ({
  backup: { out, putBack },
}) => {
  const url = await putBack()
  await afterRestore(url, { yes: true })
  await using world = await openWorld(url)
  await world.advance(world.domain.seconds.lost + world.domain.seconds.lease)
  await world.settle()
  expect(await world.alice.request(out.lease)).toMatchObject({ outcome: 'lost' })
  expect(await world.alice.objective(out.running)).toMatchObject({
    state: 'submitted',
    lastOutcome: 'lost',
  })
  const { executionRequest } = await world.alice.launch(out.running)
  expect(executionRequest.status).toBe('queued')
})

test('with the tokens kept, those of a single run are dead all the same, and all else is', async ({
  backup: { out, putBack },
}) => {
  const url = await putBack()
  expect(await afterRestore(url, { yes: true, keepTokens: true })).toMatchObject({ tokens: 1 })
  await using domain = await openDomainOf(environmentOf(url), { log })
  await expect(authenticate(domain, out.token, 'api')).resolves.toBeDefined()
  await expect(authenticate(domain, out.ofRun, 'api')).rejects.toMatchObject(unauthenticated)
  await expect(authenticatePerson(domain, out.cookie)).rejects.toMatchObject(unauthenticated)
})

test('says to a person what it would end, and what to look through once it has', async ({
  backup: { putBack },
}) => {
  const url = await putBack()
  const said: string[] = []
  const say = { stdout: (text: string) => void said.push(text), stderr: () => undefined }
  const run = (options: object) =>
    runAfterRestore(environmentOf(url), { log, input: RestoreInput.parse(options), say })
  await run({})
  await run({ yes: true })
  await run({ yes: true })
  expect(said).toEqual([
    expect.stringMatching(
      /^This would end: sessions of browsers: 1, .*send it again with --yes\.\n$/,
    ),
    expect.stringMatching(/^Ended: sessions of browsers: 1, .* then start the apps\.\n$/),
    expect.stringMatching(
      /^Ended: sessions of browsers: 0, tokens: 0, .* then start the apps\.\n$/,
    ),
  ])
})
