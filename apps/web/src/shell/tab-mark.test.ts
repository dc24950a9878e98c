import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const src = join(import.meta.dirname, '..')

test('a tab is named in one place, which puts the count before each name', () => {
  const naming = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts'))
    .filter((file) => readFileSync(join(src, file), 'utf8').includes('document.title'))
  expect(naming).toEqual(['shell/tab-mark.tsx'])
})
