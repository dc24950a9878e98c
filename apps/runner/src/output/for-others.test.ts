import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { forOthers } from './for-others.ts'

const folders = { '/home/ada': '~', '/home/ada/code/web': 'resource web on laptop' }

test('a path of the machine is replaced by the name of what lies there, the nearest first', () => {
  const text = '/home/ada/code/web/.svc is no folder; see /home/ada/notes'
  expect(forOthers(text, { folders, spellings: [] })).toBe(
    'resource web on laptop/.svc is no folder; see ~/notes',
  )
})

test('a folder is known by its real path, too', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'for-others-')))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const link = `${folder}-link`
  symlinkSync(folder, link)
  onTestFinished(() => rmSync(link))
  const kept = { folders: { [link]: 'resource web on laptop' }, spellings: [] }
  expect(forOthers(`fatal: ${folder}/x`, kept)).toBe('fatal: resource web on laptop/x')
})

test('secrets and what a terminal would obey are left out', () => {
  const kept = { folders, spellings: ['hunter2hunter2'] }
  expect(forOthers('\u001b[31mno hunter2hunter2\u001b[0m', kept)).toBe('no [masked]')
  const split = 'no hunter2\u001b[1mhunter2\u001b[0m, nor hunter2\u200bhunter2'
  expect(forOthers(split, kept)).toBe('no [masked], nor [masked]')
})
