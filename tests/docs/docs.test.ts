import { readFileSync } from 'node:fs'
import { builtInEventTypes } from '@svc/contracts/events'
import { verifies } from '@svc/testing/verifies'
import { expect, test } from 'vitest'
import { triedPage } from '../agents/render-tried.ts'
import {
  environmentPage,
  errorsPage,
  lifecyclePage,
  permissionsPage,
  protocolPage,
  rulesPage,
} from './render.ts'
import { connectPage } from './render-connect.ts'
import { pagesPage } from './render-pages.ts'
import { retentionPage } from './render-retention.ts'
import { restPage, toolsPage } from './render-surfaces.ts'

test.each([
  ['rest', restPage],
  ['tools', toolsPage],
  ['connect', connectPage],
  ['protocol', protocolPage],
  ['errors', errorsPage],
  ['environment', environmentPage],
  ['permissions', permissionsPage],
  ['lifecycle', lifecyclePage],
  ['retention', retentionPage],
  ['rules', rulesPage],
  ['pages', pagesPage],
  ['agents-tried', triedPage],
])('docs/%s.md says what the sources say', async (name, render) => {
  await expect(render()).toMatchFileSnapshot(`../../docs/${name}.md`)
})

test(
  verifies(
    'envelope.match-status-type',
    'what consumers read has them compare status.type, and neither id nor label',
  ),
  () => {
    const readme = readFileSync(
      new URL('../../packages/webhooks/README.md', import.meta.url),
      'utf8',
    )
    expect(readme).toContain('Compare `mission.status.type`, never its `id` or `label`')
  },
)

test('every event is described in the rules, or decided where it goes beyond them', () => {
  const [rules, decisions] = ['rules', 'decisions'].map((name) =>
    readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8'),
  )
  const undocumented = builtInEventTypes.filter(
    (type) => !`${rules}${decisions}`.includes(`\`${type}\``),
  )
  expect(undocumented).toEqual([])
})
