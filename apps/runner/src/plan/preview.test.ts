import { randomUUID } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Assignment } from '@svc/contracts/assignment'
import type { Rights } from '@svc/contracts/rights'
import { ownIdentity } from '@svc/process/process-identity'
import { describe, expect, test } from 'vitest'
import { openHome } from '../files/home.ts'
import { linkCheckout } from '../files/resources.ts'
import { trustSettings } from '../files/trust-file.ts'
import { holdCheckout } from '../git/checkout-holders.ts'
import { makeAssignment } from '../testing/assignment.ts'
import { missionBranch, ofMission, recordedIn } from '../testing/prepared.ts'
import { createRepository, gitIn, temporaryFolder } from '@svc/testing/temporary'
import { previewLaunch } from './preview.ts'

const serviceUrl = 'http://127.0.0.1:4600'
const device = { fingerprint: 'f'.repeat(8), label: 'laptop', platform: 'linux', arch: 'x64' }
const launchSettings = {
  preCommand: 'env -u DEBUG',
  preLaunchCommands: ['cd {SVC_WORKING_DIRECTORY}'],
  launchEnvVars: { API_KEY: 'hush-hush', CACHE: '/var/{SVC_OBJECTIVE_ID}/x' },
}

const alone = { agent: 'codex', resourceKey: 'web', useWorktrees: false }

/** A machine with a checkout, in which somebody works, linked as `web`. */
function openMachine() {
  const stack = new DisposableStack()
  const home = openHome(stack.use(temporaryFolder()).path)
  const checkout = createRepository(stack.use(temporaryFolder()).path).path
  writeFileSync(join(checkout, 'mine.txt'), 'a person works here')
  const preview = (assignment: Assignment, offered = ['codex'], maxRights: Rights = 'all') =>
    previewLaunch({ assignment, home, serviceUrl, device, env: {}, offered, maxRights })
  return {
    home,
    checkout,
    preview,
    link({ project: { id: projectId } }: Assignment) {
      linkCheckout(home, { projectId, projectSlug: 'web', resourceKey: 'web', path: checkout })
    },
    [Symbol.dispose]: () => stack.dispose(),
  }
}

const stateOf = (checkout: string) =>
  ['status --porcelain --ignored', 'branch -a', 'log --all --oneline', 'stash list'].map((words) =>
    gitIn(checkout, ...words.split(' ')),
  )

describe('the preview of a launch on this machine', () => {
  test('shows what the project lets the agent run', async () => {
    using machine = openMachine()
    const allowedCommands = ['npm test', 'make lint']
    const assignment = makeAssignment({ agent: 'claude', launchSettings: { allowedCommands } })
    const { argv, problems } = await machine.preview(assignment, ['claude'])
    expect(argv).toEqual(expect.arrayContaining(['Bash(npm test:*)', 'Bash(make lint:*)']))
    expect(problems).toMatchObject([{ code: 'launch_config_untrusted' }])
  })

  test('shows what the agent may do, and what the runner makes less of it', async () => {
    using machine = openMachine()
    const agentRights = { claude: 'all' as const }
    const assignment = makeAssignment({ agent: 'claude', launchSettings: { agentRights } })
    const { rights, problems, argv } = await machine.preview(assignment, ['claude'], 'edit')
    expect(rights).toMatchObject({
      rights: 'edit',
      ofProject: 'all',
      isSet: true,
      bound: 'edit',
      inWords: expect.stringContaining('change files in the worktrees of its run'),
      warnings: [expect.stringContaining('Runner laptop gives agents at most')],
    })
    expect(argv).not.toContain('--dangerously-skip-permissions')
    expect(problems).toMatchObject([{ code: 'launch_config_untrusted' }])
  })

  test(
    'shows branch, variables, commands and arguments, and touches nothing',
    { tags: 'large' },
    async () => {
      using machine = openMachine()
      const { home, checkout } = machine
      const assignment = makeAssignment({ agent: 'codex', resourceKey: 'web', launchSettings })
      machine.link(assignment)
      const { id: projectId } = assignment.project
      const { launchSettings: settings } = assignment
      trustSettings(home, { service: serviceUrl, projectId, projectSlug: 'web', settings })
      const before = stateOf(checkout)
      const worktree = join(home.worktrees, 'web', 'web', 'add-a-greeting-7')
      const shown = await machine.preview(assignment)
      expect(shown).toMatchObject({
        workingDirectory: worktree,
        branch: {
          name: 'add-a-greeting-7',
          cutFrom: 'main',
          startSha: gitIn(checkout, 'rev-parse', 'main'),
        },
        problems: [],
        preLaunchCommands: [`cd '${worktree}'`],
        variables: {
          API_KEY: '[masked]',
          CACHE: '[masked]web:7.k7qd[masked]',
          SVC_WORKING_DIRECTORY: worktree,
          SVC_OBJECTIVE_ID: 'web:7.k7qd',
        },
      })
      expect(shown.argv.slice(0, 3)).toEqual(['env', '-u', 'DEBUG'])
      expect(shown.argv.join(' ')).toContain('<briefing>')
      expect(JSON.stringify(shown)).not.toContain('hush-hush')
      expect(stateOf(checkout)).toEqual(before)
      expect(existsSync(worktree)).toBe(false)
      expect(existsSync(join(checkout, '.svc'))).toBe(false)
      expect(existsSync(join(checkout, '.git', 'svc'))).toBe(false)
    },
  )

  test('shows what would keep the run from starting', async () => {
    using machine = openMachine()
    const assignment = makeAssignment({
      agent: 'claude',
      resourceKey: 'web',
      launchSettings,
      defaultBranch: 'nowhere',
    })
    machine.link(assignment)
    const { problems, branch } = await machine.preview(assignment)
    expect(problems.map(({ code }) => code)).toEqual([
      'launch_config_untrusted',
      'agent_not_found',
      'bad_working_directory',
    ])
    expect(branch).toBeNull()
  })

  test(
    'shows what a person has not committed where the run would switch the checkout',
    { tags: 'large' },
    async () => {
      using machine = openMachine()
      const assignment = makeAssignment(alone)
      machine.link(assignment)
      const { problems, branch } = await machine.preview(assignment)
      expect(branch).toMatchObject({ name: 'add-a-greeting-7', cutFrom: 'main' })
      expect(problems).toMatchObject([
        { code: 'dirty_checkout', message: expect.stringContaining('commit or stash mine.txt') },
      ])
      gitIn(machine.checkout, 'switch', '--quiet', '-c', missionBranch)
      const { projectId } = assignment.executionRequest
      const recorded = ofMission(recordedIn(machine.checkout))
      const onBranch = await machine.preview(makeAssignment({ ...alone, projectId, ...recorded }))
      expect(onBranch.problems).toEqual([])
      expect(onBranch.branch?.warnings).toEqual([
        'What is not committed there is from before this run: mine.txt.',
      ])
    },
  )

  test(
    'shows that a person’s own checkout has the branch, with changes that are not committed',
    { tags: 'large' },
    async () => {
      using machine = openMachine()
      gitIn(machine.checkout, 'switch', '--quiet', '-c', missionBranch)
      const recorded = ofMission(recordedIn(machine.checkout))
      const assignment = makeAssignment({ agent: 'codex', resourceKey: 'web', ...recorded })
      machine.link(assignment)
      const { problems, branch, workingDirectory } = await machine.preview(assignment)
      expect(workingDirectory).toBe(machine.checkout)
      expect(branch).toMatchObject({ name: 'add-a-greeting-7', cutFrom: null })
      expect(problems).toMatchObject([{ code: 'checkout_busy' }])
    },
  )

  test.each([
    { who: 'another mission', problems: [{ code: 'checkout_busy' }], warnings: [] },
    {
      who: 'an earlier run of the objective',
      problems: [],
      warnings: [expect.stringContaining('it is ended first')],
    },
    {
      who: 'a run that has delivered',
      problems: [],
      warnings: [expect.stringContaining('it is waited for')],
    },
  ])(
    'shows that $who is at work in the checkout',
    { tags: 'large' },
    async ({ who, problems, warnings }) => {
      using machine = openMachine()
      const assignment = makeAssignment(alone)
      machine.link(assignment)
      const { missionId, objectiveId, createdAt } = assignment.executionRequest
      holdCheckout(machine.checkout, {
        requestId: randomUUID(),
        generation: 1,
        missionId: who === 'another mission' ? randomUUID() : missionId,
        objectiveId: who === 'an earlier run of the objective' ? objectiveId : randomUUID(),
        createdAt,
        branch: 'add-a-greeting-7',
        runFolder: machine.home.runs,
        supervisor: ownIdentity(),
      })
      expect(await machine.preview(assignment)).toMatchObject({
        branch: { name: 'add-a-greeting-7', warnings },
        problems,
      })
    },
  )

  test('names other resources that it may write to by the worktree that the run would get', async () => {
    using machine = openMachine()
    const assignment = makeAssignment({ agent: 'codex', resourceKey: 'web' })
    const common = { primary: false, state: 'connected', path: null } as const
    assignment.resources.push(
      { ...common, resourceKey: 'billing', permission: 'rw' },
      { ...common, resourceKey: 'docs', permission: 'ro' },
    )
    machine.link(assignment)
    using other = temporaryFolder()
    const { path } = createRepository(other.path)
    const { id: projectId } = assignment.project
    for (const resourceKey of ['billing', 'docs']) {
      linkCheckout(machine.home, { projectId, projectSlug: 'web', resourceKey, path })
    }
    const { variables, argv, problems } = await machine.preview(assignment)
    expect(problems).toEqual([])
    const resources = JSON.parse(variables['SVC_PROJECT_RESOURCES'] ?? '') as { path: string }[]
    expect(resources).toMatchObject([
      {},
      { resourceKey: 'billing', path: '<worktree of billing>' },
      { resourceKey: 'docs', path },
    ])
    expect(argv.join(' ')).toContain('<worktree of billing>')
  })

  test('says so where the resource is not linked here', async () => {
    using machine = openMachine()
    const assignment = makeAssignment({ agent: 'codex', resourceKey: 'web' })
    await expect(machine.preview(assignment)).rejects.toThrow(
      'Resource web of project web is not linked on this machine',
    )
  })
})
