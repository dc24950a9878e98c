import type { Rights } from '@svc/contracts/rights'
import { expect, test } from 'vitest'
import type { Adapter } from '../agents/adapter.ts'
import { builtInAdapters } from '../agents/rows.ts'
import { makeAssignment } from '../testing/assignment.ts'
import { heldTo, rightsOfRun, rightsWarnings } from './rights.ts'

const device = { fingerprint: 'f'.repeat(8), label: 'laptop', platform: 'linux', arch: 'x64' }
const [, adapter] = builtInAdapters
const claude: { adapter: Adapter; command: string[] } = { adapter, command: ['claude'] }

function orderOf(
  ofProject: Rights | undefined,
  maxRights: Rights,
  { flags = [] }: { flags?: string[] } = {},
) {
  const agentRights = ofProject && { claude: ofProject }
  const agentFlags = flags.length > 0 ? { claude: flags } : {}
  const launchSettings = { agentFlags, ...(agentRights && { agentRights }) }
  const assignment = makeAssignment({ agent: 'claude', launchSettings })
  return { assignment, maxRights, device, agent: claude }
}

test.each([
  [undefined, 'all', 'work'],
  [undefined, 'edit', 'edit'],
  ['read', 'all', 'read'],
  ['read', 'work', 'read'],
  ['all', 'all', 'all'],
  ['all', 'work', 'work'],
] as const)(
  'a project that gives %s on a runner that gives at most %s gives %s',
  (of, most, has) => {
    expect(rightsOfRun(orderOf(of, most)).rights).toBe(has)
  },
)

test('a bound that lowers them is a warning that names runner and bound, and one that does not is none', () => {
  expect(rightsWarnings(orderOf('all', 'work'))).toEqual([
    expect.stringMatching(/^Runner laptop gives agents at most the rights `work`, .* `all`: /),
  ])
  for (const order of [orderOf('read', 'work'), orderOf(undefined, 'work'), orderOf('all', 'all')])
    expect(rightsWarnings(order)).toEqual([])
})

test('flags of a project may get around a bound, and a warning says so', () => {
  const flags = ['--dangerously-skip-permissions']
  expect(rightsWarnings(orderOf(undefined, 'work', { flags }))).toEqual([
    expect.stringContaining('they may let it do more than `work`'),
  ])
  expect(rightsWarnings(orderOf(undefined, 'all', { flags }))).toEqual([])
})

test('an agent whose row has no rights is held to none, and a warning says so', () => {
  const { rights: _, ...row } = adapter
  const agent = { ...claude, adapter: row }
  const held = (of: Rights) => rightsWarnings({ ...orderOf(of, 'all'), agent })
  expect(held('read')).toEqual([expect.stringContaining('Nothing holds claude to')])
  expect(held('work')).toEqual([])
})

test('an agent is told what it may do where that is less than usual', () => {
  expect(heldTo(orderOf('read', 'all'))).toContain('change nothing')
  expect(heldTo(orderOf('all', 'all'))).toBeNull()
})
