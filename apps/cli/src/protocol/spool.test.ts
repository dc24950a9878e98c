import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type SpooledCall, spoolLimits } from '@svc/runner/files/spooled-call'
import { keepCall, sendKept } from './spool.ts'

let folder: string

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'svc-spool-')), 'run')
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true }))

function call(text: string, over: Partial<SpooledCall> = {}): SpooledCall {
  const at = new Date().toISOString()
  return { operation: 'update', input: { text }, idempotencyKey: `key-${text}`, at, ...over }
}

async function drain(answer: (call: SpooledCall) => void = () => undefined) {
  const sent: SpooledCall[] = []
  const dropped: string[] = []
  const isEmpty = await sendKept(folder, {
    send: async (kept) => {
      answer(kept)
      sent.push(kept)
    },
    mayPass: (error) => error instanceof Error && error.message === 'down',
    dropped: (_, error) => dropped.push(String(error)),
  })
  return { isEmpty, sent, dropped }
}

function refuse(message: string): never {
  throw new Error(message)
}

describe('the spool', () => {
  test('sends what is kept in order, with the key of the first try, and removes it', async () => {
    const calls = Array.from({ length: 12 }, (_, index) => call(String(index)))
    for (const one of calls) keepCall(folder, one)
    expect(await drain()).toEqual({ isEmpty: true, sent: calls, dropped: [] })
    expect(readdirSync(folder)).toEqual([])
  })

  test('keeps its files for their owner, whole and numbered', () => {
    keepCall(folder, call('one'))
    const [name = '', ...others] = readdirSync(folder)
    expect(name).toMatch(/^[0-9]+\.json$/)
    expect(others).toEqual([])
    expect(JSON.parse(readFileSync(join(folder, name), 'utf8'))).toMatchObject({
      operation: 'update',
      idempotencyKey: 'key-one',
    })
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
  })

  test('stops at the first call that cannot be sent, which then stays before the others', async () => {
    for (const text of ['one', 'two', 'three']) keepCall(folder, call(text))
    const first = await drain(({ input }) => input['text'] === 'two' && refuse('down'))
    expect(first.isEmpty).toBe(false)
    expect(first.sent.map(({ input }) => input['text'])).toEqual(['one'])
    expect((await drain()).sent.map(({ input }) => input['text'])).toEqual(['two', 'three'])
  })

  test('keeps a call that was kept while two commands sent the one before it', async () => {
    keepCall(folder, call('first'))
    const answered = Promise.withResolvers<void>()
    const slow = sendKept(folder, {
      send: () => answered.promise,
      mayPass: () => false,
      dropped: (_, error) => expect.unreachable(String(error)),
    })
    expect((await drain()).sent).toHaveLength(1)
    keepCall(folder, call('x', { operation: 'deliver', input: { summary: 'done' } }))
    answered.resolve()
    await slow
    expect((await drain()).sent.map(({ operation }) => operation)).toEqual(['deliver'])
  })

  test('sends first what was kept under the small numbers of an earlier version', async () => {
    mkdirSync(folder)
    for (const text of ['2', '10']) {
      writeFileSync(join(folder, `${text.padStart(4, '0')}.json`), JSON.stringify(call(text)))
    }
    keepCall(folder, call('new'))
    expect((await drain()).sent.map(({ input }) => input['text'])).toEqual(['2', '10', 'new'])
  })

  test('keeps nothing behind a number that no other can follow', () => {
    mkdirSync(folder)
    writeFileSync(join(folder, '99999999999999999999.json'), '')
    expect(() => keepCall(folder, call('x'))).toThrow('no call can be kept behind')
  })

  test('drops a call that is refused and goes on', async () => {
    keepCall(folder, call('bad'))
    keepCall(folder, call('good'))
    const { isEmpty, sent, dropped } = await drain(
      ({ input }) => input['text'] === 'bad' && refuse('session_ended'),
    )
    expect(isEmpty).toBe(true)
    expect(sent).toHaveLength(1)
    expect(dropped).toEqual(['Error: session_ended'])
  })

  test('drops what cannot be read and what is older than a week', async () => {
    keepCall(folder, call('old', { at: '2020-01-01T00:00:00.000Z' }))
    writeFileSync(join(folder, `${Number.MAX_SAFE_INTEGER}.json`), '{')
    expect(await drain()).toMatchObject({
      isEmpty: true,
      sent: [],
      dropped: ['Error: it was kept for more than 7 days', 'Error: the kept call cannot be read'],
    })
  })

  test('keeps the same delivery once, and another one as well', async () => {
    const delivery = call('x', { operation: 'deliver', input: { summary: 'done' } })
    keepCall(folder, delivery)
    keepCall(folder, { ...delivery, idempotencyKey: 'second try' })
    keepCall(folder, { ...delivery, input: { summary: 'done, with tests' } })
    const { sent } = await drain()
    expect(sent.map(({ idempotencyKey }) => idempotencyKey)).toEqual(['key-x', 'key-x'])
  })

  test('refuses more files or bytes than its limits', () => {
    const big = { idempotencyKey: 'big' }
    keepCall(folder, call('x'.repeat(spoolLimits.bytes - 1000), big))
    expect(() => keepCall(folder, call('y'.repeat(2000), big))).toThrow('no more calls can be kept')
    rmSync(folder, { recursive: true })
    for (let index = 0; index < spoolLimits.files; index += 1) keepCall(folder, call('z'))
    expect(() => keepCall(folder, call('z'))).toThrow('no more calls can be kept')
  })
})
