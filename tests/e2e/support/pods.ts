import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BareOrigin } from '@svc/testing/bare-origin'
import { temporaryFolder } from '@svc/testing/temporary'
import { scriptedAgentMain } from './agents.ts'
import { programs } from './programs.ts'
import { type Started, killAll, processesWith, startNode } from './processes.ts'
import type { Scene } from './scene.ts'
import { until } from './until.ts'

interface PodsSetUp {
  scene: Scene
  service: {
    baseUrl: string
    token: (order: { person: string; preset: 'runner' }) => Promise<string>
  }
  origin: BareOrigin
}

export interface Pod {
  svc: Started
  /** With all that it has started, as where its machine is gone. */
  kill: () => Promise<void>
}

export interface Pods extends AsyncDisposable {
  /** Starts a machine of its own, which takes one launch and is gone. */
  start: (more?: NodeJS.ProcessEnv) => Pod
  /** The same, until it is gone; throws where it did not end well. */
  run: () => Promise<void>
}

/** Machines that are gone after one launch, to which one file is shipped that a person has made elsewhere. */
export async function openPods({ scene, service, origin }: PodsSetUp): Promise<Pods> {
  const stack = new AsyncDisposableStack()
  const { path: root } = stack.use(temporaryFolder())
  const { slug } = scene.project
  const token = await service.token({ person: scene.person, preset: 'runner' })
  let count = 0

  function makeHome() {
    count += 1
    const folder = join(root, String(count))
    const runnerHome = join(folder, 'runner')
    for (const made of [folder, runnerHome]) mkdirSync(made)
    const env = {
      HOME: folder,
      SVC_BACKEND_URL: service.baseUrl,
      SVC_RUNNER_HOME: runnerHome,
      SVC_SCRIPTED_AGENT: scriptedAgentMain,
      ...origin.env,
    }
    return { folder, runnerHome, env, trustFile: join(runnerHome, 'trust.json') }
  }

  const shipped = makeHome()
  const trusting = startNode(programs.svc, ['runner', 'trust', slug, '--yes'], {
    cwd: shipped.folder,
    env: { ...shipped.env, SVC_USER_TOKEN: scene.token },
  })
  requireWell(await trusting.ended, trusting)

  const pods: Pods = {
    start(more) {
      const { folder, runnerHome, env, trustFile } = makeHome()
      copyFileSync(shipped.trustFile, trustFile)
      const args = ['once', '--ephemeral', '--project', slug, '--agent', 'scripted']
      const svc = startNode(programs.svc, ['runner', ...args, '--label', 'pod'], {
        cwd: folder,
        env: { ...env, SVC_USER_TOKEN: token, ...more },
      })
      const left = () => processesWith(`SVC_RUNNER_HOME=${runnerHome}`)
      const kill = async () => {
        await until('all of a machine is gone', () => {
          killAll(left())
          return left().length === 0
        })
      }
      stack.defer(kill)
      return { svc, kill }
    },
    async run() {
      const { svc } = pods.start()
      requireWell(await svc.ended, svc)
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
  return pods
}

function requireWell({ code }: { code: number | null }, svc: Started): void {
  if (code !== 0) throw new Error(`svc ended with ${code}: ${svc.output()}`)
}
