import { authenticate } from '@svc/domain/access/authenticate'
import { findResetLink } from '@svc/domain/members/reset-password'
import { findSetUp } from '@svc/domain/people/set-up'
import { ensureMember, ensureWorkspace } from '@svc/domain/workspaces/set-up/set-up'
import { createLog } from '@svc/process/log'
import { DomainEnvironment, openDomainOf } from '@svc/service/domain'
import { createTestDatabase } from '@svc/testing/database'
import { personWith } from '@svc/domain/testing/people'
import { secretKeys } from '@svc/domain/testing/open-process'
import { expect, test as base } from 'vitest'
import { type OwnerEnvironment, OwnerInput, runCreateOwner } from './create-owner.ts'
import { migrate } from './migrate.ts'
import { ResetInput, runResetLink } from './reset-link.ts'
import { runRestoreWorkspace } from './restore-workspace.ts'

const log = createLog({ name: 'test', level: 'silent' })
const anna = { workspaceName: 'Acme', email: 'anna@example.com', name: 'anna' }

/** A server's database, what the command says there, and the domain that its tokens are good for. */
// oxlint-disable-next-line no-empty-pattern -- vitest reads here which other fixtures are needed: none
const test = base.extend('server', { scope: 'file' }, async ({}, { onCleanup }) => {
  const opened = new AsyncDisposableStack()
  onCleanup(() => opened.disposeAsync())
  const { connectionString: databaseUrl } = opened.use(await createTestDatabase())
  await migrate({ databaseUrl, secretKeys })
  const variables = { DATABASE_URL: databaseUrl, SVC_SECRET_KEYS: secretKeys, SVC_NOTIFY: 'off' }
  const environment = DomainEnvironment.parse(variables)
  const domain = opened.use(await openDomainOf(environment, { log }))
  const create = (input: object) => createIn(environment, input)
  return {
    environment,
    domain,
    create,
    actorOf: (token: string) => authenticate(domain, token.trim(), 'api'),
  }
})

async function createIn(environment: OwnerEnvironment, given: object) {
  const said = { stdout: '', stderr: '' }
  const say = {
    stdout: (text: string) => void (said.stdout += text),
    stderr: (text: string) => void (said.stderr += text),
  }
  await runCreateOwner(environment, { log, input: OwnerInput.parse({ ...anna, ...given }), say })
  return said
}

test(
  'prints a token of full scope that speaks for the owner, and nothing else on stdout',
  { tags: 'large' },
  async ({ server }) => {
    const { stdout, stderr } = await server.create({ workspace: 'first' })
    expect(stdout).toMatch(/^svcut_\w+\n$/)
    expect(stderr).toContain('anna@example.com is now owner of first.')
    expect(stderr).not.toContain(stdout.trim())
    const actor = await server.actorOf(stdout)
    expect(actor).toMatchObject({ role: 'owner', credential: { scope: 'full' } })
    await expect(authenticate(server.domain, stdout.trim(), 'mcp')).resolves.toBeDefined()
  },
)

test('says the link by which the owner sets a password, at the public address', async ({
  server,
}) => {
  const { stderr } = await createIn(
    { ...server.environment, SVC_BASE_URL: 'https://svc.example' },
    { workspace: 'linked' },
  )
  const [, secret = ''] = /^ {2}https:\/\/svc\.example\/setup\?token=(\S+)$/m.exec(stderr) ?? []
  expect(await findSetUp(server.domain, secret)).toMatchObject({ email: anna.email })
})

test(
  'sent twice makes nothing and says how to get another token',
  { tags: 'large' },
  async ({ server }) => {
    const once = await server.create({ workspace: 'twice' })
    const again = await server.create({ workspace: 'twice' })
    expect(again.stdout).toBe('')
    expect(again.stderr).toContain('is owner of twice already')
    expect(again.stderr).toContain('--new-token')
    const another = await server.create({ workspace: 'twice', newToken: true })
    const [first, second] = [
      await server.actorOf(once.stdout),
      await server.actorOf(another.stdout),
    ]
    expect(second.userId).toBe(first.userId)
    expect(second.workspaceId).toBe(first.workspaceId)
  },
)

test('sent by eight at once prints one token', { tags: 'large' }, async ({ server }) => {
  const eight = Array.from({ length: 8 }, () => server.create({ workspace: 'raced' }))
  const printed = (await Promise.all(eight)).map(({ stdout }) => stdout).filter(Boolean)
  expect(printed).toHaveLength(1)
})

test('as JSON says all of it in one object', async ({ server }) => {
  const { stdout } = await server.create({ workspace: 'machine', json: true })
  const owner = JSON.parse(stdout) as { userId: string; token: string; setUpUrl: string }
  const { workspaceId, userId } = await server.actorOf(owner.token)
  const { setUpUrl } = owner
  expect(setUpUrl).toMatch(/^http:\/\/127\.0\.0\.1:4600\/setup\?token=[\w-]{43}$/)
  expect(owner).toEqual({ workspaceId, userId, isNew: true, token: owner.token, setUpUrl })
  const again = await server.create({ workspace: 'machine', json: true })
  const { setUpUrl: newer } = JSON.parse(again.stdout) as typeof owner
  expect(JSON.parse(again.stdout)).toEqual({
    workspaceId,
    userId,
    isNew: false,
    token: null,
    setUpUrl: newer,
  })
  expect(newer).not.toBe(setUpUrl)
})

test('raises nobody: a member of another role is refused and stays what they are', async ({
  server,
}) => {
  const workspaceId = await ensureWorkspace(server.domain, { slug: 'kept', name: 'Kept' })
  await ensureMember(server.domain, { ...anna, workspaceId, role: 'viewer' })
  await expect(server.create({ workspace: 'kept', newToken: true })).rejects.toThrow(
    'anna@example.com is viewer of kept',
  )
})

test(
  'prints a link by which anybody with an account sets a password, and tells nobody else',
  { tags: 'large' },
  async ({ server }) => {
    await server.create({ workspace: 'linked' })
    const said = { stdout: '', stderr: '' }
    const reset = (email: string) =>
      runResetLink(
        { ...server.environment, SVC_BASE_URL: 'https://svc.example.com' },
        {
          log,
          input: ResetInput.parse({ email }),
          say: {
            stdout: (text) => void (said.stdout += text),
            stderr: (text) => void (said.stderr += text),
          },
        },
      )
    await reset('ANNA@example.com')
    expect(said.stdout).toMatch(/^https:\/\/svc\.example\.com\/reset\?token=[\w-]{43}\n$/)
    expect(said.stderr).not.toContain(said.stdout.trim())
    // what the link ends is said before it is used
    expect(said.stderr).toContain('this ends for ANNA@example.com:\n  token: made on the server')
    const secret = new URL(said.stdout.trim()).searchParams.get('token') ?? ''
    expect(await findResetLink(server.domain, secret)).toMatchObject({ email: anna.email })
    await expect(reset('nobody@example.com')).rejects.toMatchObject({ code: 'not_found' })
  },
)

test(
  'restores a workspace that its owner deleted, and says where nothing was',
  { tags: 'large' },
  async ({ server }) => {
    const owner = personWith(
      server.domain,
      (await server.create({ workspace: 'undone' })).stdout.trim(),
    )
    const said: string[] = []
    const say = { stdout: () => undefined, stderr: (text: string) => void said.push(text) }
    const restore = (workspace: string) =>
      runRestoreWorkspace(server.environment, { log, input: { workspace }, say })
    await owner.call('deleteWorkspace', { name: anna.workspaceName })
    await expect(server.create({ workspace: 'undone' })).rejects.toThrow('restore-workspace')
    await restore('undone')
    await restore('undone')
    expect(said).toEqual([
      expect.stringMatching(/^undone is restored/),
      'undone is not deleted: nothing was changed.\n',
    ])
    expect((await owner.call('getWorkspace', {})).workspace.slug).toBe('undone')
    await expect(restore('nowhere')).rejects.toThrow('There is no workspace nowhere')
  },
)

test('another key ring than that of the database is refused', async ({ server }) => {
  const other = `test:${Buffer.alloc(32, 8).toString('base64')}`
  await expect(
    createIn({ ...server.environment, SVC_SECRET_KEYS: other }, { workspace: 'foreign' }),
  ).rejects.toThrow(/not ready \(keys\).*SVC_SECRET_KEYS/)
})
