import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { limits } from '@svc/contracts/limits'
import { type Listening, listen } from '@svc/testing/listen'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runInTest } from '../testing/cli.ts'

const request = '0190c9a2-7b1e-7c4e-9d55-3f1f6f3a2b10'
const objective = '0190c9a2-7b1e-7c4e-9d55-3f1f6f3a2b11'

interface Received {
  path: string
  key: string | undefined
  body: Record<string, unknown>
}

let folder: string
let server: Listening
let received: Received[]
/** Status and body of the answer to a call; 200 and an empty reply when it has nothing to say. */
let answer: (call: Received) => { status: number; body: unknown } | undefined

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-protocol-'))
  received = []
  answer = () => undefined
  const respond = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const key = incoming.headers['idempotency-key']
    const call: Received = {
      path: incoming.url ?? '',
      key: typeof key === 'string' ? key : undefined,
      // What the client sends is always an object.
      body: (await json(incoming)) as Record<string, unknown>,
    }
    const given = answer(call)
    if (given === undefined || given.status !== 503) received.push(call)
    const { status, body } = given ?? { status: 200, body: { directive: 'continue', items: [] } }
    outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  server = await listen(createServer((incoming, outgoing) => void respond(incoming, outgoing)))
})
afterEach(async () => {
  await server[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

function protocol(...argv: string[]) {
  const env = {
    SVC_BACKEND_URL: server.url,
    SVC_USER_TOKEN: 'token',
    SVC_TMPDIR: folder,
    SVC_WORKING_DIRECTORY: folder,
    SVC_MISSION_ID: 'web:12',
    SVC_OBJECTIVE_ID: 'web:12.k7qd',
    SVC_EXECUTION_REQUEST_ID: request,
    SVC_EXECUTION_GENERATION: '2',
    PATH: '/nonexistent',
  }
  return runInTest(env, 'protocol', ...argv)
}

function refusal(status: number, code: string) {
  return { status, body: { error: { code, message: `${code} it is.`, requestId: 'r' } } }
}

const isDown = () => refusal(503, 'unavailable')
const attached = {
  sessionKey: 'sess_x',
  session: { objectiveId: objective },
  directive: 'continue',
}
const runFile = () => join(folder, `run-${request}.json`)

test(
  'an answer that came to the supervisor is given with the next reply, once',
  { tags: 'large' },
  async () => {
    const held = { questionId: objective, question: 'Which?', optionId: null, answer: 'English.' }
    writeFileSync(join(folder, 'answers.json'), JSON.stringify([held]))
    writeFileSync(runFile(), JSON.stringify({ generation: 2, sessionKey: 'sess_x' }))
    answer = () => ({ status: 200, body: { directive: 'continue', pendingAnswers: [] } })
    const pendingIn = async () => {
      const { stdout } = await protocol('heartbeat')
      return JSON.parse(stdout).pendingAnswers
    }
    expect(await pendingIn()).toEqual([held])
    expect(await pendingIn()).toEqual([])
  },
)

describe('attach', () => {
  test('forwards what the environment names and remembers the session in addition to what the supervisor wrote', async () => {
    writeFileSync(runFile(), JSON.stringify({ requestId: request, generation: 2, baseSha: 'abc' }))
    answer = () => ({ status: 200, body: attached })
    const { code, stdout } = await protocol('attach', '--agent', 'scripted')
    expect({ code, answer: JSON.parse(stdout) }).toEqual({ code: 0, answer: attached })
    expect(received[0]).toMatchObject({
      path: '/api/protocol/attach',
      body: {
        agentIdentifier: 'scripted',
        missionId: 'web:12',
        objectiveId: 'web:12.k7qd',
        executionRequestId: request,
        generation: 2,
      },
    })
    expect(JSON.parse(readFileSync(runFile(), 'utf8'))).toEqual({
      requestId: request,
      generation: 2,
      baseSha: 'abc',
      sessionKey: 'sess_x',
      objectiveId: objective,
    })
    expect(statSync(runFile()).mode & 0o777).toBe(0o600)
  })

  test('succeeds and says where the key is when it cannot be remembered', async () => {
    mkdirSync(runFile())
    answer = () => ({ status: 200, body: attached })
    const { code, stdout, stderr } = await protocol('attach', '--agent', 'scripted')
    expect({ code, answer: JSON.parse(stdout) }).toEqual({ code: 0, answer: attached })
    expect(stderr).toContain('could not be remembered')
    expect(stderr).toContain('--session-key')
  })

  test('is remembered in the working directory where nothing else can be written', async () => {
    mkdirSync(runFile())
    const scratch = join(folder, '.svc', 'tmp')
    mkdirSync(scratch, { recursive: true })
    answer = ({ path }) => (path.endsWith('/attach') ? { status: 200, body: attached } : undefined)
    const { stderr } = await protocol('attach', '--agent', 'scripted')
    expect(stderr).toBe('')
    await protocol('update', '--text', 'one')
    expect(received.at(-1)?.body).toMatchObject({ sessionKey: 'sess_x', text: 'one' })
    rmSync(runFile(), { recursive: true })
    answer = () => ({ status: 200, body: { ...attached, sessionKey: 'sess_y' } })
    await protocol('attach', '--agent', 'scripted')
    expect(JSON.parse(readFileSync(runFile(), 'utf8'))).toMatchObject({ sessionKey: 'sess_y' })
    expect(readdirSync(scratch)).toEqual([])
  })

  test('lets an option stand above the environment', async () => {
    answer = () => ({ status: 200, body: attached })
    await protocol('attach', '--agent', 'x', '--objective-id', 'web:13.ab12', '--generation', '7')
    expect(received[0]?.body).toMatchObject({ objectiveId: 'web:13.ab12', generation: 7 })
  })

  test.each([
    ['with none remembered', {}],
    ['with that of an earlier generation', { generation: 1, sessionKey: 'sess_old' }],
  ])('is asked for by a run without a session key, %s', async (_, facts) => {
    writeFileSync(runFile(), JSON.stringify(facts))
    for (const argv of [
      ['heartbeat'],
      ['update', '--text', 'one'],
      ['deliver', '--summary', 'done'],
      ['add-artifact', '--type', 'x', '--label', 'x', '--content-text', 'x'],
    ]) {
      const { code, stderr } = await protocol(...argv)
      expect({ code, stderr }).toEqual({
        code: 5,
        stderr:
          'no_session: This run has no session key: call svc protocol attach --agent <name> first, or again, which is safe.\n',
      })
    }
    expect(received).toEqual([])
  })
})

describe('a call that cannot be sent', () => {
  beforeEach(() => {
    writeFileSync(runFile(), JSON.stringify({ generation: 2, sessionKey: 'sess_x' }))
  })

  test(
    'is kept, and goes before the next one, in order and with its first key',
    { tags: 'large' },
    async () => {
      const keys = new Map<unknown, string | undefined>()
      answer = ({ body, key }) => {
        keys.set(body['text'], key)
        return isDown()
      }
      expect(await protocol('update', '--text', 'one')).toMatchObject({
        code: 0,
        stdout: '{\n  "spooled": true\n}\n',
      })
      expect((await protocol('update', '--text', 'two')).code).toBe(0)
      answer = () => undefined
      expect((await protocol('update', '--text', 'three')).code).toBe(0)
      expect(received.map(({ body }) => body['text'])).toEqual(['one', 'two', 'three'])
      expect(received[0]?.key).toBe(keys.get('one'))
      expect(new Set(received.map(({ key }) => key)).size).toBe(3)
    },
  )

  test('has its answers given with the next reply', async () => {
    const pending = [{ questionId: request, question: 'Tabs?', optionId: null, answer: 'Spaces.' }]
    answer = isDown
    await protocol('update', '--text', 'One.')
    answer = ({ body }) => ({
      status: 200,
      body: { directive: 'continue', pendingAnswers: body['text'] === 'One.' ? pending : [] },
    })
    const { stdout } = await protocol('update', '--text', 'Two.')
    expect(JSON.parse(stdout)).toMatchObject({ pendingAnswers: pending })
  })

  test.each([
    ['is refused', () => refusal(400, 'validation_failed')],
    ['is kept in its turn', isDown],
  ])(
    'has its answers given with the next reply that there is where the call after it %s',
    { tags: 'large' },
    async (_, second) => {
      const pending = [
        { questionId: request, question: 'Tabs?', optionId: null, answer: 'Spaces.' },
      ]
      answer = isDown
      await protocol('update', '--text', 'One.')
      const reply = (pendingAnswers: object[]) => ({
        status: 200,
        body: { directive: 'continue', pendingAnswers },
      })
      answer = ({ body }) => (body['text'] === 'One.' ? reply(pending) : second())
      await protocol('update', '--text', 'Two.')
      answer = () => reply([])
      const { stdout } = await protocol('heartbeat')
      expect(JSON.parse(stdout)).toMatchObject({ pendingAnswers: pending })
      expect(JSON.parse((await protocol('heartbeat')).stdout)).toMatchObject({ pendingAnswers: [] })
    },
  )

  test('is no success when it was a delivery', async () => {
    answer = isDown
    const { code, stdout, stderr } = await protocol('deliver', '--summary', 'done')
    expect({ code, stdout }).toEqual({ code: 6, stdout: '{\n  "spooled": true\n}\n' })
    expect(stderr.trim().split('\n').at(-1)).toBe(
      'unreachable: The delivery is not accepted yet: call deliver again, which is safe.',
    )
  })

  test('is dropped with its error when the service refuses it later', async () => {
    answer = isDown
    await protocol('update', '--text', 'late')
    answer = ({ body }) => (body['text'] === 'late' ? refusal(409, 'session_ended') : undefined)
    const { code, stderr } = await protocol('heartbeat')
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'dropped a kept update: session_ended: session_ended it is.\n',
    })
  })
})

describe('a delivery before which checks stand', () => {
  const running = { code: 'check_running', message: 'It runs.', details: { names: ['test'] } }
  const failed = {
    code: 'check_failed',
    message: 'Nothing was delivered.',
    details: {
      results: [
        { name: 'test', outcome: 'failed', exitCode: 1, seconds: 2, output: 'one is red\n' },
        { name: 'lint', outcome: 'passed', exitCode: 0, seconds: 1, output: 'fine\n' },
      ],
    },
  }
  const refuse = (status: number, error: object) => ({
    status,
    body: { error: { ...error, requestId: 'r' } },
  })
  const deliveries = () => received.filter(({ path }) => path.endsWith('/deliver'))
  beforeEach(() =>
    writeFileSync(runFile(), JSON.stringify({ generation: 2, sessionKey: 'sess_x' })),
  )

  test('is made again under its key while they run, with a hint for the supervisor', async () => {
    answer = ({ path }) =>
      path.endsWith('/deliver') && deliveries().length < 2 ? refuse(409, running) : undefined
    const { code, stderr } = await protocol('deliver', '--summary', 'done')
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'waiting for test before the delivery\n' })
    expect(deliveries()).toHaveLength(3)
    expect(new Set(deliveries().map(({ key }) => key)).size).toBe(1)
    expect(existsSync(join(folder, 'check-wanted'))).toBe(true)
  })

  test('shows what failed, and is not kept', async () => {
    answer = ({ path }) => (path.endsWith('/deliver') ? refuse(422, failed) : undefined)
    expect(await protocol('deliver', '--summary', 'done')).toEqual({
      code: 5,
      stdout: '',
      stderr:
        '[test failed with exit code 1 after 2 s]\none is red\ncheck_failed: Nothing was delivered.\n',
    })
    expect(existsSync(join(folder, 'spool'))).toBe(false)
  })
})

test('a refusal is not kept: it ends the call with its code', async () => {
  writeFileSync(runFile(), JSON.stringify({ generation: 2, sessionKey: 'sess_x' }))
  answer = () => refusal(409, 'session_ended')
  expect(await protocol('update', '--text', 'one')).toEqual({
    code: 5,
    stdout: '',
    stderr: 'session_ended: session_ended it is.\n',
  })
  answer = () => undefined
  await protocol('heartbeat')
  expect(received.map(({ path }) => path)).toEqual([
    '/api/protocol/update',
    '/api/protocol/heartbeat',
  ])
})

describe('the ledger', () => {
  beforeEach(() => {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' })
    git('init', '--quiet')
    git(
      '-c',
      'user.name=t',
      '-c',
      'user.email=t@example.com',
      'commit',
      '--quiet',
      '--allow-empty',
      '-m',
      'base',
    )
    const baseSha = git('rev-parse', 'HEAD').trim()
    writeFileSync(join(folder, '.git', 'info', 'exclude'), 'run-*\nspool\n')
    const facts = { generation: 2, sessionKey: 'sess_x', objectiveId: objective, baseSha }
    writeFileSync(runFile(), JSON.stringify(facts))
    writeFileSync(join(folder, 'new.txt'), 'x')
  })

  test(
    'goes before an update, and again only when more has changed',
    { tags: 'large' },
    async () => {
      await protocol('update', '--text', 'one')
      await protocol('update', '--text', 'two')
      writeFileSync(join(folder, 'newer.txt'), 'x')
      await protocol('deliver', '--summary', 'done')
      const ledger = `/api/objectives/${objective}/ledger`
      expect(received.map(({ path }) => path)).toEqual([
        ledger,
        '/api/protocol/update',
        '/api/protocol/update',
        ledger,
        '/api/protocol/deliver',
      ])
      expect(received[0]?.body).toMatchObject({
        sessionKey: 'sess_x',
        seq: 0,
        items: [{ filePath: 'new.txt', vcsStatus: 'untracked' }],
      })
      expect(received[3]?.body).toMatchObject({ seq: 1, items: [{}, {}] })
    },
  )

  test(
    'of more files than are kept goes no further than the service needs to say so',
    { tags: 'large' },
    async () => {
      const kept = limits.changedFilesPerObjective
      for (let number = 0; number < 2 * kept; number += 1) {
        writeFileSync(join(folder, `${number}.txt`), '')
      }
      await protocol('update', '--text', 'one')
      await protocol('update', '--text', 'two')
      const batches = received.flatMap(({ path, body }) => (path.endsWith('/ledger') ? [body] : []))
      expect(batches).toHaveLength(1 + kept / limits.ledgerItemsPerBatch)
      expect(batches.at(-1)).toMatchObject({ part: { number: batches.length, of: batches.length } })
    },
  )

  test(
    'holds what changed in the other resources of the run, and leaves out one that is gone',
    { tags: 'large' },
    async () => {
      const facts: unknown = JSON.parse(readFileSync(runFile(), 'utf8'))
      const { baseSha } = facts as { baseSha: string }
      const other = join(folder, '.git', 'other')
      const git = (...args: string[]) => execFileSync('git', args, { cwd: folder })
      git('worktree', 'add', '--quiet', '-b', 'other', other, baseSha)
      writeFileSync(join(other, 'route.txt'), 'x')
      const others = [
        { resourceKey: 'api', workingDirectory: other, baseSha },
        { resourceKey: 'docs', workingDirectory: join(folder, 'gone'), baseSha },
      ]
      writeFileSync(runFile(), JSON.stringify({ ...(facts as object), others }))
      const { code, stderr } = await protocol('update', '--text', 'one')
      expect(code).toBe(0)
      expect(stderr).toMatch(/^warning: the changed files in docs were not reported: .*\n$/)
      expect(received[0]?.body['items']).toEqual([
        { filePath: 'api:route.txt', vcsStatus: 'untracked' },
        { filePath: 'new.txt', vcsStatus: 'untracked' },
      ])
    },
  )

  test('that is refused is a warning and the delivery goes through', async () => {
    answer = ({ path }) =>
      path.endsWith('/ledger') ? refusal(400, 'validation_failed') : undefined
    const { code, stderr } = await protocol('deliver', '--summary', 'done')
    expect(code).toBe(0)
    expect(stderr).toMatch(/^warning: the changed files were not reported: validation_failed/)
    expect(received.at(-1)?.path).toBe('/api/protocol/deliver')
  })
})

test('work done without a session is recorded for what is named', async () => {
  const named = ['--mission-id', 'web:12', '--title', 'Hotfix', '--summary', 'Fixed.']
  expect(await protocol('record-work', ...named)).toMatchObject({ code: 0 })
  expect(received).toMatchObject([
    {
      path: '/api/protocol/record-work',
      body: { missionId: 'web:12', title: 'Hotfix', summary: 'Fixed.' },
    },
  ])
})
