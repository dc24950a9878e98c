import { expect, test } from 'vitest'
import { versionWords } from './runners.ts'

test.each([
  ['0.1.0', '0.1.9', undefined],
  ['0.1.0', undefined, undefined],
  ['development', '0.1.0', undefined],
  ['0.1.0', '0.2.0', expect.stringContaining('0.2.0')],
  ['2.0.0', '1.0.0', expect.stringContaining('2.0.0')],
])('a runner of %s with a service of %s', (runner, service, said) => {
  expect(versionWords(runner, service)).toEqual(said)
})
