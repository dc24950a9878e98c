import { expect, test } from 'vitest'
import { runnerDefects } from '../soak/runner-defects.ts'
import { defects } from './defects.ts'
import { requireFits } from './run-defect.ts'

test('every mistake has its one place in the product', async () => {
  const all = [...defects, ...runnerDefects]
  await expect(Promise.all(all.map(requireFits))).resolves.toHaveLength(all.length)
})
