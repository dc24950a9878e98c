import { mkdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Machine } from '../e2e/support/machine.ts'
import type { Scene } from '../e2e/support/scene.ts'
import { checkWith } from '../e2e/support/check-with.ts'
import type { Service } from '../e2e/support/service.ts'
import { ofPerson, temporaryFolder } from '@svc/testing/temporary'
import { worktreeOf } from '../e2e/support/worktree-of.ts'
import type { InstalledSvc } from './installed-svc.ts'
import { checks, instructions } from './scenario.ts'
import { type ModelServer, serveModel } from './model/serve.ts'
import { type Installed, type Linked, linkProgram } from './tools/installed.ts'

export interface Stage {
  service: Service
  svc: InstalledSvc
}

/** One tool on a machine of its own, with a home of its own, a project to work for and a model to ask. */
export interface Place extends AsyncDisposable {
  installed: Installed
  scene: Scene
  machine: Machine
  model: ModelServer
  /** The working tree that its first run gets. */
  workingTree: string
  printed: Linked['printed']
}

/** Git takes no commit of nobody. */
export const author = {
  GIT_AUTHOR_NAME: 'An agent',
  GIT_AUTHOR_EMAIL: 'agent@example.com',
  GIT_COMMITTER_NAME: 'An agent',
  GIT_COMMITTER_EMAIL: 'agent@example.com',
}

/** `more` are variables in place of those that the tool is started with elsewhere. */
export async function openPlace(
  { service, svc }: Stage,
  installed: Installed,
  more: Record<string, string> = {},
): Promise<Place> {
  await using opened = new AsyncDisposableStack()
  const { tool } = installed
  const model = opened.use(await serveModel(tool.dialect, tool.hands))
  const scene = opened.use(await service.scene({ repository: true, instructions }))
  const { path: home } = opened.use(temporaryFolder(ofPerson))
  mkdirSync(join(home, '.config'), { recursive: true })
  const linked = linkProgram(installed, home)
  const env = {
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_CACHE_HOME: join(home, '.cache'),
    XDG_DATA_HOME: join(home, '.local/share'),
    XDG_STATE_HOME: join(home, '.local/state'),
    PATH: [linked.folder, process.env['PATH']].join(delimiter),
    ...author,
    ...tool.settle(home, model.url),
    ...more,
  }
  const { program: main } = svc
  const machine = await scene.machine({ main, env, args: ['--agent', tool.key] })
  await checkWith({ scene, machine }, checks)
  const kept = opened.move()
  return {
    installed,
    scene,
    machine,
    model,
    workingTree: worktreeOf({ scene, machine }, 'build-the-bridge-1'),
    printed: linked.printed,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
