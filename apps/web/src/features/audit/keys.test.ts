import { expect, test } from 'vitest'
import { auditKeys } from './keys.ts'

const nothing = () => undefined
const named = (does: Partial<Parameters<typeof auditKeys>[0]>) =>
  auditKeys({ rows: () => [], older: undefined, newest: undefined, ...does }).map(
    ({ keys }) => keys,
  )

test('keys lead from page to page where there is one', () => {
  expect(named({})).toEqual(['j', 'k'])
  expect(named({ older: nothing })).toEqual(['j', 'k', 'o'])
  expect(named({ newest: nothing })).toEqual(['j', 'k', 'n'])
})
