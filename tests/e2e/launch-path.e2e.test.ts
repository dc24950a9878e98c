import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { FeedChange } from '@svc/contracts/feed'
import { verifies } from '@svc/testing/verifies'
import { describe, expect } from 'vitest'
import { readRecorded } from './support/agents.ts'
import { programs } from './support/programs.ts'
import { stopIn } from './support/phases.ts'
import { startNode } from './support/processes.ts'
import { type Scene, resourceKey } from './support/scene.ts'
import { test as base } from './support/test.ts'
import { until } from './support/until.ts'
import { worktreeOf } from './support/worktree-of.ts'

/** What a server's shell may hold; the daemon is started from such a one. */
const secrets = {
  DATABASE_URL: 'postgresql://keeper:of-the-data@localhost/nowhere',
  SVC_DATABASE_DIRECT_URL: 'postgresql://keeper:straight-to-the-data@localhost/nowhere',
  SVC_SECRET_KEYS: `other:${Buffer.alloc(32, 'the key of keys').toString('base64')}`,
  SVC_DATA_DIR: '/where/the/data/lies',
}

/** One run in one of two checkouts, carried from its launch to review; the tests look at what it left behind. */
const test = base.extend('carried', { scope: 'file' }, async ({ service }, { onCleanup }) => {
  const opened = new AsyncDisposableStack()
  onCleanup(() => opened.disposeAsync())
  const scene = opened.use(
    await service.scene({
      repository: true,
      elsewhere: [
        { resourceKey: 'handbook', permission: 'ro' },
        { resourceKey: 'site', primary: true },
      ],
      instructions: ['Build the first pillar.', 'Build the second pillar.'],
    }),
  )
  const site = scene.repositoryAt('site')
  const machine = await scene.machine({ env: { ...secrets, PERSONAL_SETTING: 'as it was' } })
  machine.link(scene.project, 'site', site.path)
  await until('the other checkout is connected', () => isConnected(scene, 'site'))
  // an agent may attach before its launch is reported; here the steps come in one order
  const gate = stopIn(machine, 'spawned')
  await scene.launch('recorder', resourceKey)
  await gate.arrived
  await scene.untilRequest('launched', ({ status }) => status === 'launched')
  gate.open()
  const run = await scene.untilEnded()
  await machine.settled()
  return { scene, site, machine, run, recorded: readRecorded(machine.home.folder) }
})

describe('a launched objective', () => {
  test(
    verifies(
      [
        'launch.request-queued',
        'claim.marks-claimed',
        'runner.reports-launching',
        'runner.reports-launched',
      ],
      'goes from queued over claimed, launching and launched to review',
    ),
    async ({ carried: { scene, run } }) => {
      expect(run).toMatchObject({
        status: 'launched',
        outcome: 'delivered',
        generation: 1,
        attempt: 1,
        exit: { exitCode: 0, signal: null, cause: 'agent' },
      })
      expect(run.runnerId).not.toBeNull()
      const steps = (await changesOf(scene))
        .filter(({ entity }) => entity === 'execution_request')
        .map(({ operation }) => operation)
        .filter((operation, index, all) => operation !== 'log' && operation !== all[index - 1])
      expect(steps).toEqual([
        'queue',
        'claim',
        'launching',
        'launched',
        'attach',
        'deliver',
        'exited',
      ])
    },
  )

  test(
    verifies(
      ['attach.executing', 'attach.mission-execute', 'deliver.completes', 'deliver.mission-review'],
      'is complete, its mission is in review, and the next objective waits for approval',
    ),
    async ({ carried: { scene } }) => {
      const { mission, objectives } = await scene.client.call('getMission', {
        id: scene.mission.displayId,
      })
      expect(mission.phase).toBe('review')
      expect(objectives.map(({ state }) => state)).toEqual(['complete', 'awaiting_approval'])
      const phases = (await scene.events())
        .filter(({ type }) => type === 'status_change')
        .map(({ data }) => data['to'])
      expect(phases).toEqual(['review', 'execute'])
    },
  )

  test('is recorded by the events of its mission, each once', async ({ carried: { scene } }) => {
    const shown = (await scene.events()).map(({ type }) => type).toReversed()
    expect(shown.filter((type) => type !== 'status_change')).toEqual([
      'execution_requested',
      'execution_claimed',
      'branch_prepared',
      'execution_launched',
      'session_attached',
      'update',
      'artifact_added',
      'delivery',
      'awaiting_approval',
    ])
  })

  test(
    verifies(
      'mission.active-branch',
      "leaves its commit on the mission's branch and nothing on main",
    ),
    async ({ carried: { scene, run } }) => {
      const { git } = scene.repository
      const { mission } = await scene.client.call('getMission', { id: scene.mission.id })
      expect(mission.active_branch).toBe('build-the-bridge-1')
      expect(run.branch).toBe('build-the-bridge-1')
      expect(git('log', '--format=%s', 'main..build-the-bridge-1')).toBe('Build the first pillar.')
      expect(git('log', '--format=%s', 'main')).toBe('Begin')
      expect(git('status', '--porcelain')).toBe('')
      expect(git('branch', '--show-current')).toBe('main')
      expect(git('show', 'build-the-bridge-1:scripted-agent.md')).toBe('- Build the first pillar.')
    },
  )

  test(
    verifies(
      'deliver.writes-rationales',
      'leaves artifact, delivery, file changes with their reasons, and diff',
    ),
    async ({ carried: { scene, run } }) => {
      const { client, mission, repository } = scene
      const { artifacts } = await client.call('listArtifacts', { id: mission.id })
      expect(artifacts).toMatchObject([{ type: 'next_steps', label: 'Next steps', revision: 1 }])
      const { deliveries } = await client.call('listDeliveries', { id: mission.id })
      const head = repository.git('rev-parse', 'build-the-bridge-1')
      expect(deliveries.map(({ summary }) => summary)).toEqual([
        `Wrote scripted-agent.md (commit ${head}).`,
      ])
      const { fileChanges } = await client.call('listFileChanges', { id: mission.id })
      expect(fileChanges).toMatchObject([
        {
          filePath: 'scripted-agent.md',
          vcsStatus: 'added',
          rationale: { why: 'To show that the agent worked here.' },
        },
      ])
      const { diff } = await client.call('getRunDiff', { id: run.id })
      expect(diff).toMatchObject({ headSha: head, dirty: false, truncated: false })
      expect(diff.baseSha).toBe(repository.git('rev-parse', 'main'))
      expect(diff.patch).toContain('+- Build the first pillar.')
    },
  )

  test('leaves its whole output as log, without the token that it gave away', async ({
    carried,
  }) => {
    const { scene, run, recorded } = carried
    const { bytes } = await scene.client.call('getRunLog', { id: run.id })
    const log = Buffer.from(bytes).toString('utf8')
    expect(log).toMatch(/^my token is \[masked\]\n/)
    expect(log).toMatch(/scripted agent: delivered\n$/)
    expect(log).not.toContain(recorded.environment['SVC_USER_TOKEN'])
  })

  test('leaves neither briefing nor lock in the checkout, nor its scratch folder', async ({
    carried: { scene, recorded },
  }) => {
    const { SVC_CONTEXT_FILE = '', SVC_TMPDIR = '' } = recorded.environment
    expect(existsSync(SVC_TMPDIR)).toBe(false)
    expect(existsSync(SVC_CONTEXT_FILE)).toBe(false)
    expect(readdirSync(join(recorded.directory, '.svc'))).toEqual(['tmp'])
    expect(readdirSync(scene.repository.path).toSorted()).toEqual(['.git', 'README.md'])
  })
})

describe('the environment of an agent', () => {
  test(
    verifies(
      [
        'env.MISSION_ID',
        'env.SVC_MISSION_ID',
        'env.SVC_OBJECTIVE_ID',
        'env.SVC_BACKEND_URL',
        'env.SVC_EXECUTION_REQUEST_ID',
        'env.SVC_WORKING_DIRECTORY',
        'env.SVC_TMPDIR',
        'env.TMPDIR',
        'env.TMP',
        'env.TEMP',
      ],
      'says what to work on, for whom and where',
    ),
    ({ carried: { scene, machine, run, recorded } }) => {
      const path = worktreeOf({ scene, machine }, 'build-the-bridge-1')
      const scratch = join(machine.home.tmp, scene.project.slug, `${run.id.slice(-12)}.1`)
      expect(recorded.environment).toMatchObject({
        MISSION_ID: scene.mission.id,
        SVC_MISSION_ID: scene.mission.id,
        SVC_OBJECTIVE_ID: scene.objective.displayId,
        SVC_BACKEND_URL: machine.proxy.url,
        SVC_EXECUTION_REQUEST_ID: run.id,
        SVC_EXECUTION_GENERATION: '1',
        SVC_WORKING_DIRECTORY: path,
        SVC_TMPDIR: scratch,
        TMPDIR: scratch,
        TMP: scratch,
        TEMP: scratch,
      })
    },
  )

  test(
    verifies(
      [
        'env.SVC_PROJECT_RESOURCES',
        'env.SVC_PROJECT_RESOURCES_PATHS',
        'env.SVC_PROJECT_RESOURCES_PATHS_CSV',
        'env.SVC_PRIMARY_RESOURCE_PATH',
        'resource.all-listed',
        'resource.unavailable-marked',
      ],
      'lists every resource of the project, and the paths of those that are here',
    ),
    ({ carried: { scene, machine, recorded } }) => {
      const path = worktreeOf({ scene, machine }, 'build-the-bridge-1')
      const sitePath = worktreeOf({ scene, machine }, 'build-the-bridge-1', 'site')
      const { SVC_PROJECT_RESOURCES = '' } = recorded.environment
      const here = { permission: 'rw', state: 'connected' }
      expect(JSON.parse(SVC_PROJECT_RESOURCES)).toEqual([
        { ...here, resourceKey: 'site', primary: true, path: sitePath },
        {
          resourceKey: 'handbook',
          permission: 'ro',
          primary: false,
          state: 'unavailable',
          path: null,
        },
        { ...here, resourceKey, primary: false, path },
      ])
      expect(recorded.environment).toMatchObject({
        SVC_PROJECT_RESOURCES_PATHS: `${sitePath}:rw,${path}:rw`,
        SVC_PROJECT_RESOURCES_PATHS_CSV: `${sitePath}:rw,${path}:rw`,
        SVC_PRIMARY_RESOURCE_PATH: sitePath,
      })
    },
  )

  test(
    verifies(
      ['env.inherited', 'env.SVC_USER_TOKEN'],
      "is the runner's own, with its token, and begins its PATH with the runner's svc",
    ),
    ({
      carried: {
        machine,
        recorded: { environment },
      },
    }) => {
      expect(environment['PERSONAL_SETTING']).toBe('as it was')
      expect(environment['SVC_USER_TOKEN']).toMatch(/^svcut_/)
      expect(environment['PATH']?.split(':')[0]).toBe(machine.home.bin)
    },
  )

  test('holds none of the secrets of the servers', ({ carried, service }) => {
    const { environment } = carried.recorded
    const [url = '', keys = ''] = service.secrets
    expect(Object.keys(environment).filter((name) => name in secrets)).toEqual([])
    const text = JSON.stringify(environment)
    for (const secret of [...Object.values(secrets), url, keys.replace(/^\w+:/, '')]) {
      expect(text).not.toContain(secret)
    }
  })

  test(
    verifies(
      [
        'env.SVC_OBJECTIVE_ID.forwarded',
        'env.SVC_EXECUTION_REQUEST_ID.forwarded',
        'attach.links-request',
      ],
      'is what attach passes on, which ties session and run together',
    ),
    async ({ carried: { scene, machine, run } }) => {
      const attach = machine.proxy.seen.find(({ path }) => path.endsWith('/protocol/attach'))
      expect(JSON.parse(attach?.body ?? '{}')).toMatchObject({
        objectiveId: scene.objective.displayId,
        executionRequestId: run.id,
        generation: 1,
      })
      const attached = (await scene.events()).find(({ type }) => type === 'session_attached')
      expect(attached?.data).toEqual({
        sessionId: run.sessionId,
        executionRequestId: run.id,
        agent: 'scripted',
      })
    },
  )
})

describe('an agent', () => {
  test(
    verifies(
      'runner.starts-in-target',
      'starts in a worktree of the resource that is the target, though another is the primary one',
    ),
    ({ carried: { scene, machine, site, recorded } }) => {
      expect(recorded.directory).toBe(worktreeOf({ scene, machine }, 'build-the-bridge-1'))
      expect(site.git('branch', '--format=%(refname:short)')).toBe('main')
      expect(readdirSync(site.path).toSorted()).toEqual(['.git', 'README.md'])
    },
  )

  test(
    verifies(
      [
        'briefing.markdown',
        'briefing.system-prompt-file',
        'briefing.start-now',
        'briefing.ask-only-blocked',
        'env.SVC_CONTEXT_FILE',
      ],
      'gets its briefing, a markdown file below .svc/tmp, as its system prompt file',
    ),
    ({ carried: { scene, recorded } }) => {
      const { SVC_CONTEXT_FILE = '' } = recorded.environment
      expect(SVC_CONTEXT_FILE).toMatch(/\/\.svc\/tmp\/[^/]+\.md$/)
      expect(recorded.arguments.slice(0, 2)).toEqual(['--system-prompt-file', SVC_CONTEXT_FILE])
      expect(recorded.briefing).toMatch(new RegExp(`^# ${scene.objective.displayId}: `))
      expect(recorded.briefing).toContain('Start immediately')
      expect(recorded.briefing).toContain('Stop to ask only when you are genuinely blocked')
      expect(recorded.briefing).toContain('\n## Your objective\n\nBuild the first pillar.\n')
    },
  )

  test('has its report, its reasons, its artifacts and its history read with svc', async ({
    carried: { scene },
    service,
  }) => {
    const svc = async (...args: string[]) => {
      const env = { SVC_BACKEND_URL: service.baseUrl, SVC_USER_TOKEN: scene.token }
      const started = startNode(programs.svc, args, { env })
      expect({ ...(await started.ended), shown: started.output() }).toMatchObject({ code: 0 })
      return started.stdout()
    }
    const { mission, objective } = scene
    const [delivery, list, steps, events] = await Promise.all([
      svc('deliveries', 'show', objective.displayId),
      svc('deliveries', 'list', mission.displayId),
      svc('artifacts', 'show', mission.displayId, 'next_steps'),
      svc('events', mission.displayId),
    ])
    expect(delivery).toContain('One file, so that the change is easy to see.')
    expect(delivery).toContain('why: To show that the agent worked here.')
    expect(list).toContain('deterministic')
    expect(steps).toContain('Close the mission.')
    const shown = [...events.matchAll(/[+-]\d\d:\d\d {2}(\w+)/g)].map(([, type]) => type)
    expect(shown.indexOf('delivery')).toBeGreaterThan(shown.indexOf('session_attached'))
  })

  test('reads commands and options that the command knows, in its briefing and what this leads to', async ({
    carried: { scene, recorded },
  }) => {
    const { agentInstructions } = await scene.client.protocol('load-context', {
      missionId: scene.mission.id,
    })
    expect(recorded.briefing).toContain('`svc protocol attach --agent')
    const text = recorded.briefing + agentInstructions
    const shown = [...text.matchAll(/`svc protocol ([a-z-]+)([^`]*)`/g)]
    expect(shown.map(([, operation]) => operation)).toEqual(
      expect.arrayContaining(['attach', 'update', 'heartbeat', 'add-artifact', 'deliver']),
    )
    const operations = [...new Set(shown.map(([, operation = '']) => operation))]
    const helps = operations.map((operation) =>
      startNode(programs.svc, ['protocol', operation, '--help']),
    )
    await Promise.all(helps.map(({ ended }) => ended))
    for (const [, operation = '', rest = ''] of shown) {
      const known = helps[operations.indexOf(operation)]?.stdout().match(/--[a-z-]+/g)
      const options = rest.match(/--[a-z-]+/g) ?? []
      expect(known).toEqual(expect.arrayContaining(options))
    }
  })

  test(
    verifies(
      [
        'protocol.attach',
        'protocol.load-context',
        'protocol.heartbeat',
        'protocol.update',
        'protocol.add-artifact',
        'protocol.update-artifact',
        'protocol.deliver',
        'attach.no-git',
        'attach.no-snapshot',
      ],
      'speaks through the svc command on its PATH, and attaching runs no Git and copies no file',
    ),
    async ({ service }) => {
      await using scene = await service.scene({ repository: true })
      const machine = await scene.machine()
      await scene.launch('speaks-by-hand')
      const run = await scene.untilEnded()
      expect(run).toMatchObject({ outcome: 'delivered', exit: { exitCode: 0 } })
      const recorded = join(machine.home.folder, 'recorded')
      const read = (name: string): unknown => JSON.parse(readFileSync(join(recorded, name), 'utf8'))
      expect(read('attach.json')).toMatchObject({
        currentObjective: { displayId: scene.objective.displayId },
        session: { agentIdentifier: 'by-hand' },
      })
      expect(read('context.json')).toMatchObject({ mission: { id: scene.mission.id } })
      expect(existsSync(join(recorded, 'git-calls'))).toBe(false)
      expect(readFileSync(join(recorded, 'copies'), 'utf8')).toBe('./unsaved\n')
      const attach = machine.proxy.seen.filter(({ path }) => path.endsWith('/protocol/attach'))
      expect(attach.filter(({ body }) => body.includes('unsaved'))).toEqual([])
      expect(await scene.phase()).toBe('review')
      const { artifacts } = await scene.client.call('listArtifacts', { id: scene.mission.id })
      expect(artifacts).toMatchObject([{ contentText: 'second', revision: 2 }])
      expect(await scene.countEvents('update')).toBe(1)
    },
  )
})

async function isConnected({ client, project }: Scene, key: string): Promise<true | undefined> {
  const { resources } = await client.call('listProjectResources', { id: project.id })
  const isIt = resources.some(({ resourceKey: one, state }) => one === key && state === 'connected')
  return isIt || undefined
}

/** Reads the feed from the beginning until the exit of the run. */
async function changesOf({ client, mission }: Scene): Promise<FeedChange[]> {
  const changes: FeedChange[] = []
  for await (const event of client.feed({ missionId: mission.id, cursor: '0.0' })) {
    if (event.event !== 'change') continue
    changes.push(event.data)
    if (event.data.entity === 'execution_request' && event.data.operation === 'exited') break
  }
  return changes
}
