import { readFileSync } from 'node:fs'
import { operations, personEndpoints } from '@svc/domain/testing/operations'
import { expect } from 'vitest'
import { matrixTest } from './matrix-test.ts'
import { renderMatrix } from './matrix.ts'

/** A sample of all operations, by every surface. The larger tests take every operation. */
const test = matrixTest(
  operations.filter((_, index) => index % 32 === 0),
  personEndpoints.filter((_, index) => index % 8 === 0),
)

const written = linesOf(readFileSync(new URL('golden.txt', import.meta.url), 'utf8'))

/** The lines with single spaces in place of those that set them in columns. */
function linesOf(text: string): string[] {
  return text.split('\n').map((line) => line.replace(/ +/g, ' '))
}

test(
  'each kind of caller gets the answer that is written down',
  { tags: 'large' },
  ({ matrix: { callers, rows, personRows } }) => {
    const lines = linesOf(renderMatrix(callers, [...rows, ...personRows]))
    expect(lines.filter((line) => !written.includes(line))).toEqual([])
  },
)

test('what every operation answers is written down', () => {
  const names = [
    ...operations.map(({ name }) => name),
    ...personEndpoints.map(({ method, path }) => `${method} ${path}`),
  ]
  const named = new Set(written.map((line) => line.split(' |')[0]))
  expect(names.filter((name) => !named.has(name))).toEqual([])
})
