import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { id, routes, svc, useAnswers } from '../testing/answers.ts'

useAnswers()

const folder = mkdtempSync(join(tmpdir(), 'svc-attachments-'))
afterAll(() => rmSync(folder, { recursive: true }))

const attachment = { id: id('01'), name: 'a b.png', mediaType: 'image/png', size: 3, sha256: 'ab' }
const path = '/api/objectives/web%3A12.k7qd/attachments'

test('the files of an objective are listed, and deleted', async () => {
  routes[`GET ${path}`] = () => ({ attachments: [attachment] })
  routes[`DELETE /api/attachments/${attachment.id}`] = () => ({})
  const { stdout } = await svc('attachments', 'list', 'web:12.k7qd')
  expect(stdout.split('\n')[1]).toBe(`a b.png  image/png  3      ${attachment.id}`)
  const deleted = await svc('attachments', 'delete', attachment.id)
  expect(deleted.stdout).toBe(`deleted ${attachment.id}\n`)
})

test('a file is given along under its name', async () => {
  const file = join(folder, 'a b.png')
  writeFileSync(file, '{"any":"bytes"}')
  let sent: unknown
  routes[`POST ${path}?name=a+b.png&mediaType=image%2Fpng`] = (body) => {
    sent = body
    return { attachment }
  }
  await svc('attachments', 'add', 'web:12.k7qd', file, '--media-type', 'image/png')
  expect(sent).toEqual({ any: 'bytes' })
  const missing = await svc('attachments', 'add', 'web:12.k7qd', join(folder, 'none'))
  expect(missing.code).toBe(2)
})

test.each([
  ['notes.txt', '&mediaType=text%2Fplain'],
  ['NOTES.MD', '&mediaType=text%2Fmarkdown'],
  ['core', ''],
])('the media type of %s is that of its ending', async (name, type) => {
  const file = join(folder, name)
  writeFileSync(file, '{}')
  routes[`POST ${path}?name=${name}${type}`] = () => ({ attachment })
  expect((await svc('attachments', 'add', 'web:12.k7qd', file)).code).toBe(0)
})

test('a file is downloaded, and writes over no other', async () => {
  routes[`GET /api/attachments/${attachment.id}`] = () => Buffer.from([0, 255, 10])
  const file = join(folder, 'new.png')
  expect((await svc('attachments', 'download', attachment.id, file)).code).toBe(0)
  expect([...readFileSync(file)]).toEqual([0, 255, 10])
  expect((await svc('attachments', 'download', attachment.id, file)).code).toBe(2)
})

test('a downloaded file is named on stdout, to programs as JSON', async () => {
  routes[`GET /api/attachments/${attachment.id}`] = () => Buffer.from([0, 255, 10])
  const [first, second] = [join(folder, 'first.png'), join(folder, 'second.png')]
  const told = await svc('attachments', 'download', attachment.id, first)
  expect(told).toMatchObject({ code: 0, stdout: `3 bytes written to ${first}\n` })
  const { stdout } = await svc('--json', 'attachments', 'download', attachment.id, second)
  expect(JSON.parse(stdout)).toEqual({ id: attachment.id, path: second, bytes: 3 })
})
