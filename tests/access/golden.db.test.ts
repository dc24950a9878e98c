import { readFileSync } from 'node:fs'
import { operations, personEndpoints } from '@svc/domain/testing/operations'
import { expect, test } from 'vitest'

const written = linesOf(readFileSync(new URL('golden.txt', import.meta.url), 'utf8'))

/** The lines with single spaces in place of those that set them in columns. */
function linesOf(text: string): string[] {
  return text.split('\n').map((line) => line.replace(/ +/g, ' '))
}

test('what every operation answers is written down', () => {
  const names = [
    ...operations.map(({ name }) => name),
    ...personEndpoints.map(({ method, path }) => `${method} ${path}`),
  ]
  const named = new Set(written.map((line) => line.split(' |')[0]))
  expect(names.filter((name) => !named.has(name))).toEqual([])
})
