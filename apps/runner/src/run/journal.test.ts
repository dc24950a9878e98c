import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '@svc/testing/temporary'
import { appendJournal, findStep, readJournal } from './journal.ts'

test('steps are read as they were written, the last of a name first', () => {
  using folder = temporaryFolder()
  appendJournal(folder.path, { step: 'supervisor', pid: 1, pidStartedAt: 'a' })
  appendJournal(folder.path, { step: 'supervisor', pid: 2, pidStartedAt: 'b' })
  expect(findStep(readJournal(folder.path), 'supervisor')?.pid).toBe(2)
  expect(findStep(readJournal(folder.path), 'spawned')).toBeUndefined()
})

test('a line that a crash cut off is passed over and does not swallow the next', () => {
  using folder = temporaryFolder()
  appendJournal(folder.path, { step: 'launched' })
  appendFileSync(join(folder.path, 'journal.ndjson'), '{"step":"exi')
  appendJournal(folder.path, { step: 'cleaned' })
  expect(readJournal(folder.path).map(({ step }) => step)).toEqual(['launched', 'cleaned'])
})
