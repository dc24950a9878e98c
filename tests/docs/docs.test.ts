import { expect, test } from 'vitest'
import {
  endpointsPage,
  environmentPage,
  errorsPage,
  lifecyclePage,
  permissionsPage,
  protocolPage,
  rulesPage,
} from './render.ts'

test.each([
  ['endpoints', endpointsPage],
  ['protocol', protocolPage],
  ['errors', errorsPage],
  ['environment', environmentPage],
  ['permissions', permissionsPage],
  ['lifecycle', lifecyclePage],
  ['rules', rulesPage],
])('docs/%s.md says what the sources say', async (name, render) => {
  await expect(render()).toMatchFileSnapshot(`../../docs/${name}.md`)
})
