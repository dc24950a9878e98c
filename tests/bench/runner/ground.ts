import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Client, createClient } from '@svc/client/client'
import { type Home, openHome } from '@svc/runner/files/home'
import { linkCheckout } from '@svc/runner/files/resources'
import { programs } from '@svc/tests/e2e/programs'
import { type Started, killAll, processesWith, startNode } from '@svc/tests/e2e/processes'
import { createRepository, temporaryFolder } from '@svc/testing/temporary'
import { until } from '@svc/tests/e2e/until'
import { fillDrafts } from '../launch/fill.ts'
import { type Stage, openStage } from '../launch/stage.ts'

const agent = 'bench'
const resourceKey = 'repository'
const lookMs = 5

/** Says when it was started, and stays, with a child. */
const script = `#!/bin/sh
if [ "$1" = --version ]; then echo 1; exit; fi
date +%s%N > "$SVC_RUNNER_HOME/started/$SVC_EXECUTION_REQUEST_ID"
sleep 3600
exit
`

/** A service as it is deployed, and one real runner with a linked checkout. */
export interface Ground extends AsyncDisposable {
  stage: Stage
  client: Client
  home: Home
  daemon: () => Started
  startDaemon: () => void
  /** Launches an objective of a mission of its own; waits until its agent runs. */
  launch: () => Promise<Launched>
  /** Living processes of the run. */
  processesOf: (id: string) => number[]
}

export interface Launched {
  id: string
  claimedMs: number
  startedMs: number
}

export async function openGround(settings: Record<string, string> = {}): Promise<Ground> {
  await using opened = new AsyncDisposableStack()
  const stage = opened.use(await openStage({ projects: 1, settings }))
  const [place] = stage.places
  const [token = ''] = stage.tokens
  if (!place) throw new Error('the stage has no project')
  const { path: folder } = opened.use(temporaryFolder())
  const client = createClient({ baseUrl: stage.api.url, token })
  const home = openHome(join(folder, 'runner'))
  mkdirSync(join(home.folder, 'started'))
  mkdirSync(join(folder, 'home'))
  writeAgent(home)
  const { project } = await client.call('getProject', { id: place.projectId })
  await client.call('linkProjectResource', { id: project.id, resourceKey })
  const { path } = createRepository(join(folder, resourceKey))
  linkCheckout(home, { projectId: project.id, projectSlug: project.slug, resourceKey, path })

  let daemon: Started | undefined
  const startDaemon = () => {
    daemon = startNode(programs.svc, ['runner', 'start', '--max', '50'], {
      cwd: folder,
      env: {
        HOME: join(folder, 'home'),
        SVC_BACKEND_URL: stage.api.url,
        SVC_USER_TOKEN: token,
        SVC_RUNNER_HOME: home.folder,
      },
    })
  }
  startDaemon()
  opened.defer(() => killAll(processesWith(`SVC_RUNNER_HOME=${home.folder}`)))
  await until('the checkout is connected', () => isConnected(client, project.id), {
    details: () => daemon?.output(),
  })

  async function launch(): Promise<Launched> {
    const [objective = ''] = await fillDrafts(stage.db, place ?? never(), 1)
    const begun = Date.now()
    const { executionRequest } = await client.call('launchObjective', {
      id: objective,
      agent,
      resourceKey,
    })
    const { id } = executionRequest
    const started = join(home.folder, 'started', id)
    while (readWhole(started) === '') await delay(lookMs)
    const { events } = await client.call('listMissionEvents', { id: executionRequest.missionId })
    const claimed = events.find(({ type }) => type === 'execution_claimed')
    return {
      id,
      claimedMs: Date.parse(claimed?.createdAt ?? '') - begun,
      startedMs: Number(readWhole(started)) / 1_000_000 - begun,
    }
  }

  const kept = opened.move()
  return {
    stage,
    client,
    home,
    daemon: () => daemon ?? never(),
    startDaemon,
    launch,
    processesOf: (id) => processesWith(`SVC_EXECUTION_REQUEST_ID=${id}`),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

function writeAgent(home: Home): void {
  const binary = join(home.folder, 'agent')
  writeFileSync(binary, script)
  chmodSync(binary, 0o755)
  const row = { key: agent, binary, argv: [], briefing: 'system_prompt_file', sessionId: 'none' }
  writeFileSync(home.agentsFile, JSON.stringify([row]))
}

function readWhole(path: string): string {
  try {
    const text = readFileSync(path, 'utf8')
    return text.endsWith('\n') ? text.trim() : ''
  } catch {
    return ''
  }
}

async function isConnected(client: Client, id: string): Promise<boolean> {
  const { resources } = await client.call('listProjectResources', { id })
  return resources.some(({ state }) => state === 'connected')
}

function never(): never {
  throw new Error('the ground is laid out first')
}
