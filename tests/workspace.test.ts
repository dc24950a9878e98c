import { expect, test } from 'vitest'
import { importsOf, packageOf } from './workspace.ts'

test('finds the imports of every form, over lines too, and nothing in other text', () => {
  const text = [
    "import { a } from 'static'",
    "import type {\n  B,\n} from '@svc/db/tables'",
    "import 'effect'",
    "export { c } from './relative.ts'",
    "export const d = 'no import'",
    "const e = await import('@svc/db/dynamic')",
    "const f = import.meta.resolve('@svc/cli/main')",
  ].join('\n')
  expect(importsOf(text).toSorted()).toEqual(
    [
      'static',
      '@svc/db/tables',
      'effect',
      './relative.ts',
      '@svc/db/dynamic',
      '@svc/cli/main',
    ].toSorted(),
  )
})

test.each([
  ['@svc/db/migrate-schema', '@svc/db'],
  ['kysely/migration', 'kysely'],
  ['zod', 'zod'],
])('%s belongs to %s', (specifier, name) => {
  expect(packageOf(specifier)).toBe(name)
})
