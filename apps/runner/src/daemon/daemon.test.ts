import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Rights } from '@svc/contracts/rights'
import { describe, expect, test } from 'vitest'
import { readHolders } from '../git/checkout-holders.ts'
import { markedProcesses } from '../processes/find-processes.ts'
import { listUnfinishedRuns } from '../run/run-folder.ts'
import { makeAssignment } from '../testing/assignment.ts'
import { agentToken, brokenConnection, contextOf, refusal } from '../testing/contract-service.ts'
import { killHard } from '../testing/kill-hard.ts'
import { endsWithItsLease, isReportedFailed } from '../testing/run-ends.ts'
import { openRunnerWorld, testToken } from '../testing/runner-world.ts'
import { gitIn, temporaryFolder } from '@svc/testing/temporary'
import { readOffered } from './offered.ts'

test('a runner says at start that it has no agent, and reports its label to the service', async () => {
  await using world = await openRunnerWorld('true')
  const warnings: string[] = []
  const log = { info: () => undefined, warn: (_: object, text: string) => warnings.push(text) }
  await world.start({ agents: ['cluade'], label: 'box', log })
  await expect
    .poll(() => world.service.calls('claimExecutionRequest')[0]?.body)
    .toMatchObject({ device: { label: 'box' }, agents: [] })
  expect(warnings).toEqual([expect.stringContaining('Not found on this machine: cluade.')])
})

test('a runner writes down for its machine what it offers, as long as it runs', async () => {
  await using world = await openRunnerWorld('true')
  expect(readOffered(world.home)).toBeUndefined()
  const daemon = await world.start()
  const offered = readOffered(world.home)
  await expect.poll(() => world.service.calls('claimExecutionRequest')).not.toEqual([])
  expect(offered?.agents).toEqual(world.service.calls('claimExecutionRequest')[0]?.body.agents)
  expect(offered).toMatchObject({
    agents: [{ key: expect.any(String), path: expect.any(String) }],
    maxRights: 'all',
  })
  daemon.drain()
  await daemon.done
  expect(readOffered(world.home)).toBeUndefined()
})

describe('a run', () => {
  test('is prepared, spawned, reported, logged and cleaned up', { tags: 'large' }, async () => {
    await using world = await openRunnerWorld(
      'echo "token $SVC_USER_TOKEN"; echo "cwd $PWD"; echo hi > hello.txt; echo $SVC_USER_TOKEN >> hello.txt; git branch --show-current; cat "$2" > seen.md',
    )
    const { service, worktree } = world
    world.queue()
    const daemon = await world.start({ once: true })
    await daemon.done

    const { exitCode, cause } = service.calls('reportExited')[0]?.body ?? {}
    expect({ exitCode, cause }).toEqual({ exitCode: 0, cause: 'agent' })
    expect(service.log()).toContain('token [masked]')
    expect(service.log()).toContain(`cwd ${worktree}`)
    expect(service.log()).toContain('add-a-greeting-7')
    expect(service.changes().patch).toContain('+hi\n+[masked]')
    expect(readFileSync(join(worktree, 'seen.md'), 'utf8')).toContain(
      'Write a greeting into hello.txt.',
    )
    expect(gitIn(worktree, 'status', '--porcelain')).not.toContain('.svc')
    expect(readHolders(worktree)).toEqual([])
    expect(listUnfinishedRuns(world.home)).toEqual([])
    const routes = service.received.map(({ route }) => route)
    expect(routes.filter((route) => route.startsWith('report'))).toEqual([
      'reportLaunching',
      'reportLaunching',
      'reportLaunched',
      'reportRunFiles',
      'reportRunPatches',
      'reportExited',
    ])
    expect(routes[routes.indexOf('claimExecutionRequest') + 1]).toMatch(/reportLaunching|heartbeat/)
  })

  test(
    'whose agent gets a token of its own shows the one of the runner to none of its programs',
    { tags: 'large' },
    async () => {
      await using world = await openRunnerWorld(
        `tr '\\0' '\\n' < /proc/$$/environ > ../agent.txt; echo "mine is $SVC_USER_TOKEN, theirs ${testToken}"; exit 1`,
      )
      const { service, worktree } = world
      const settings = { preLaunchCommands: ['env > ../command.txt'] }
      world.trust(world.queue({ launchSettings: settings }))
      const warnings: object[] = []
      const log = { info: () => undefined, warn: (facts: object) => warnings.push(facts) }
      await (
        await world.start({ once: true, agentToken: 'minted', log })
      ).done

      for (const program of ['agent', 'command']) {
        const environment = readFileSync(join(worktree, '..', `${program}.txt`), 'utf8')
        expect(environment).toContain(`SVC_USER_TOKEN=${agentToken}\n`)
        expect(environment).not.toContain(testToken)
      }
      expect(service.log()).toContain('mine is [masked], theirs [masked]')
      const own = service.received.map(({ headers }) => headers.authorization)
      expect(new Set(own)).toEqual(new Set([`Bearer ${testToken}`]))
      expect(JSON.stringify([service.received, warnings])).not.toContain(agentToken)
    },
  )

  test('learns the linked resources by loading its context [runner.resolves-resources]', async () => {
    await using world = await openRunnerWorld('echo "$SVC_PROJECT_RESOURCES"')
    const { service, worktree } = world
    const assignment = world.queue()
    const linked = { permission: 'ro', primary: false, state: 'unavailable', path: null }
    const context = contextOf(assignment)
    const projectResources = [...context.projectResources, { ...linked, resourceKey: 'docs' }]
    service.answer('load-context', () => ({ status: 200, json: { ...context, projectResources } }))
    await (
      await world.start({ once: true })
    ).done
    expect(service.calls('load-context')[0]?.body).toEqual({
      missionId: assignment.mission.id,
      objectiveId: assignment.objective.id,
    })
    expect(JSON.parse(service.log())).toMatchObject([
      { resourceKey: 'web', path: worktree },
      { resourceKey: 'docs', path: null },
    ])
  })

  isReportedFailed('launch_config_untrusted', { launchSettings: { preLaunchCommands: ['true'] } })

  test(
    'has at most the rights that its runner gives, and none that were raised after they were trusted',
    { tags: 'large' },
    async () => {
      await using world = await openRunnerWorld('echo "held by $4"')
      const { service, home } = world
      const row = JSON.parse(readFileSync(home.agentsFile, 'utf8'))[0]
      const [briefing, message] = row.argv
      const argv = [briefing, ['{rights}'], message]
      const rights = { read: [['--held', 'read']], edit: [], work: [], all: [['--held', 'all']] }
      writeFileSync(home.agentsFile, JSON.stringify([{ ...row, argv, rights }]))
      const giving = (given: Rights) => ({
        projectId: '0190a000-0000-7000-8000-000000000001',
        launchSettings: { agentRights: { shell: given } },
      })
      world.trust(makeAssignment(giving('all')))
      world.queue(giving('all'))
      await world.start({ maxRights: 'read' })
      const { body } = await service.called('reportLaunching', 2)
      expect(body['prepared']).toMatchObject({
        warnings: [expect.stringMatching(/^Runner .* gives agents at most the rights `read`/)],
      })
      await service.called('reportExited')
      expect(service.log()).toContain('held by read')

      world.trust(makeAssignment(giving('edit')))
      world.queue({ ...giving('all'), title: 'Raised' })
      expect((await service.called('reportFailed')).body).toMatchObject({
        code: 'launch_config_untrusted',
        next: { operation: 'trustLaunchSettings' },
      })
    },
  )

  test(
    'reports in order and once when the service was away meanwhile',
    { tags: 'large' },
    async () => {
      await using world = await openRunnerWorld('echo out; sleep 0.5')
      const { service } = world
      service.state.attached = true
      world.queue()
      let away = 0
      for (const route of [
        'reportLaunched',
        'appendRunLog',
        'reportRunFiles',
        'completeRunFiles',
        'reportExited',
      ]) {
        service.answer(route, () => ((away += 1) <= 6 ? brokenConnection : undefined))
      }
      await (
        await world.start({ once: true })
      ).done
      expect(service.log()).toBe('out\n')
      expect(service.calls('reportExited').at(-1)?.body).toMatchObject({
        exitCode: 0,
        cause: 'agent',
      })
      const order = service.received.map(({ route }) => route)
      expect(order.lastIndexOf('reportLaunched')).toBeLessThan(order.indexOf('reportExited'))
    },
  )
})

describe('the end of a run', { tags: 'large' }, () => {
  test('escalates to SIGKILL for an agent that ignores signals and for a child that left its group', async () => {
    await using world = await openRunnerWorld(
      "trap '' INT TERM; setsid sh -c 'trap \"\" INT TERM; echo deaf; sleep 600' & echo deaf; sleep 600; sleep 600",
    )
    const { executionRequest } = world.queue()
    const daemon = await world.start()
    await expect.poll(() => world.service.log()).toBe('deaf\ndeaf\n')
    daemon.endRuns()
    await daemon.done
    expect(world.service.calls('reportExited')[0]?.body).toMatchObject({
      signal: 'SIGKILL',
      cause: 'runner_stopped',
    })
    expect(markedProcesses({ requestId: executionRequest.id, generation: 1 })).toEqual([])
  })

  endsWithItsLease('cut off')

  test('comes on the word of a person', async () => {
    await using world = await openRunnerWorld('sleep 600')
    const { service } = world
    const { executionRequest } = world.queue()
    await world.start()
    await service.called('reportLaunched')
    service.answer('heartbeatRunner', () => ({
      status: 200,
      json: {
        leases: [],
        directives: [{ type: 'cancel', requestId: executionRequest.id, graceSeconds: 0 }],
        serverTime: 'now',
      },
    }))
    const { body } = await service.called('reportExited')
    expect(body).toMatchObject({ cause: 'cancelled', signal: 'SIGINT' })
  })
})

describe('what a killed process leaves', () => {
  test('is ended and reported when a supervisor is lost', { tags: 'large' }, async () => {
    await using world = await openRunnerWorld('echo started; sleep 600')
    const { executionRequest } = world.queue()
    await world.start()
    const folder = await world.reached('spawned')
    await world.service.called('reportLaunched')
    const output = () => readFileSync(join(folder, 'output.log'), 'utf8')
    await expect.poll(output).toContain('started')
    killHard(folder, 'supervisor')
    const { body } = await world.service.called('reportExited')
    expect(body).toMatchObject({ cause: 'supervisor_lost', exitCode: null })
    expect(body['lastOutput']).toContain('started')
    expect(markedProcesses({ requestId: executionRequest.id, generation: 1 })).toEqual([])
    await world.reached('cleaned')
    expect(readHolders(world.worktree)).toEqual([])
  })
})

describe('a daemon', () => {
  test('refuses a home that is in use', async () => {
    await using world = await openRunnerWorld('true')
    await world.start()
    await expect(world.start()).rejects.toMatchObject({ exitCode: 5 })
  })

  test.each([
    ['unauthenticated', 401, 3],
    ['not_found', 404, 4],
    ['runner_removed', 410, 5],
  ])(
    'that is refused with %s ends with its exit code',
    { tags: 'large' },
    async (code, status, exitCode) => {
      await using world = await openRunnerWorld('true')
      world.service.answer('claimExecutionRequest', () => refusal(code, status))
      const daemon = await world.start()
      await expect(daemon.done).rejects.toMatchObject({ exitCode })
    },
  )

  test(
    'whose claim is refused while a run goes on says so, and ends after it',
    { tags: 'large' },
    async () => {
      using folder = temporaryFolder()
      const end = join(folder.path, 'end')
      await using world = await openRunnerWorld(`until test -e '${end}'; do sleep 0.1; done`)
      world.queue()
      const said: string[] = []
      const warn = (_facts: object, message: string) => void said.push(message)
      const daemon = await world.start({ log: { info: () => undefined, warn } })
      const reported = () => world.service.calls('reportExited').length
      const reportedAtEnd = daemon.done.catch(reported)
      await world.service.called('reportLaunched')
      world.service.answer('claimExecutionRequest', () => refusal('upgrade_required', 426))
      await expect.poll(() => said.join('\n')).toContain('The runner waits for its runs')
      writeFileSync(end, '')
      await expect(daemon.done).rejects.toMatchObject({ exitCode: 5 })
      expect(await reportedAtEnd).toBe(1)
    },
  )

  test('repeats an unanswered claim under the same id', { tags: 'large' }, async () => {
    await using world = await openRunnerWorld('true')
    let claims = 0
    world.service.answer('claimExecutionRequest', () =>
      (claims += 1) < 3 ? brokenConnection : undefined,
    )
    await world.start()
    await world.service.called('claimExecutionRequest', 4)
    const ids = world.service.calls('claimExecutionRequest').map(({ body }) => body['claimId'])
    expect(new Set(ids.slice(0, 3)).size).toBe(1)
    expect(ids[3]).not.toBe(ids[0])
  })

  test(
    'that is drained gives unstarted runs back and waits for the others',
    { tags: 'large' },
    async () => {
      await using world = await openRunnerWorld('sleep 1; echo done')
      world.queue()
      const daemon = await world.start()
      await world.service.called('reportLaunched')
      daemon.drain()
      await daemon.done
      expect(world.service.calls('reportExited')[0]?.body).toMatchObject({
        exitCode: 0,
        cause: 'agent',
      })
    },
  )
})
