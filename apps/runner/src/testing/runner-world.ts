import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Daemon, startDaemon } from '../daemon/daemon.ts'
import type { DaemonOptions } from '../daemon/state.ts'
import { type Home, openHome } from '../files/home.ts'
import { linkCheckout } from '../files/resources.ts'
import { trustSettings } from '../files/trust-file.ts'
import type { Person } from '../run/claimant.ts'
import { findStep, readJournal } from '../run/journal.ts'
import { listRunFolders } from '../run/run-folder.ts'
import { makeAssignment } from './assignment.ts'
import { type ContractService, openContractService } from './contract-service.ts'
import { createRepository, temporaryFolder } from '@svc/testing/temporary'

const runnerMain = fileURLToPath(new URL('daemon-process.ts', import.meta.url))
export const testToken = `svcut_${'a1'.repeat(25)}`

export interface RunnerWorld extends AsyncDisposable {
  readonly home: Home
  readonly checkout: string
  /** Where runs of the mission that `queue` makes by itself work. */
  readonly worktree: string
  readonly service: ContractService
  /** Queues a run on the linked checkout. */
  queue: (wanted?: Parameters<typeof makeAssignment>[0]) => ReturnType<typeof makeAssignment>
  /** As a person who was shown the settings of that run's project. */
  trust: (assignment: ReturnType<typeof makeAssignment>) => void
  start: (options?: Partial<DaemonOptions>) => Promise<Daemon>
  /** A daemon in a process of its own, for tests that kill it; its token is that person's. */
  startProcess: (person?: Person) => ChildProcess
  /** The run folder once its journal has that step. */
  reached: (
    step: 'supervisor' | 'prepared' | 'command' | 'spawned' | 'exited' | 'cleaned',
  ) => Promise<string>
}

/** A home, which `makeHome` may lay on a disk of its own, with an agent `shell` that runs the script, a linked repository, and a service. */
export async function openRunnerWorld(
  script: string,
  makeHome: (path: string) => Disposable | undefined = () => undefined,
): Promise<RunnerWorld> {
  const stack = new AsyncDisposableStack()
  const folder = stack.use(temporaryFolder()).path
  const checkout = createRepository(stack.use(temporaryFolder()).path).path
  const service = stack.use(await openContractService())
  const path = join(folder, 'home')
  stack.use(makeHome(path))
  const home = openHome(path)
  const program = join(folder, 'agent.sh')
  writeFileSync(program, `#!/bin/sh\n[ "$1" = --version ] && exit\n${script}\n`, { mode: 0o755 })
  writeFileSync(home.agentsFile, JSON.stringify([shellAgent(program)]))
  const link = { projectSlug: 'web', resourceKey: 'web', path: checkout }
  const daemons = stack.adopt(new Set<Daemon>(), async (all) => {
    for (const daemon of all) daemon.endRuns()
    await Promise.all([...all].map((daemon) => daemon[Symbol.asyncDispose]()))
  })
  const processes: { child: ChildProcess; gone: Promise<unknown> }[] = []
  return {
    home,
    checkout,
    worktree: join(home.worktrees, 'web', 'web', 'add-a-greeting-7'),
    service,
    queue(wanted = {}) {
      const assignment = makeAssignment({ resourceKey: 'web', ...wanted })
      linkCheckout(home, { ...link, projectId: assignment.project.id })
      service.queue(assignment)
      return assignment
    },
    trust({ project, launchSettings: settings }) {
      const { id: projectId, slug: projectSlug } = project
      trustSettings(home, { service: service.url, projectId, projectSlug, settings })
    },
    async start(options = {}) {
      // a process that was killed holds its lock until the kernel has ended it
      await Promise.all(processes.filter(({ child }) => child.killed).map(({ gone }) => gone))
      const daemon = await startDaemon({
        home: home.folder,
        service: { baseUrl: service.url, token: testToken },
        agents: ['shell'],
        timing: { interruptSeconds: 0.3, terminateSeconds: 0.3 },
        log: { info: () => undefined, warn: () => undefined },
        ...options,
      })
      daemons.add(daemon)
      return daemon
    },
    startProcess(person) {
      const child = spawn(process.execPath, [runnerMain], {
        env: {
          ...process.env,
          SVC_RUNNER_HOME: home.folder,
          SVC_BACKEND_URL: service.url,
          SVC_USER_TOKEN: testToken,
          SVC_RUNNER_LADDER_SECONDS: '0.3,0.3',
          ...(person && { TEST_PERSON: JSON.stringify(person) }),
        },
        stdio: 'ignore',
      })
      processes.push({ child, gone: once(child, 'exit') })
      stack.defer(() => void child.kill('SIGKILL'))
      return child
    },
    async reached(step) {
      for (;;) {
        for (const run of listRunFolders(home)) {
          if (findStep(readJournal(run), step) !== undefined) return run
        }
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

function shellAgent(program: string) {
  return {
    key: 'shell',
    binary: program,
    argv: [
      ['--system-prompt-file', '{briefing}'],
      ['--', '{message}'],
    ],
    briefing: 'system_prompt_file',
    sessionId: 'none',
    errors: [{ event: { type: 'error' }, path: ['message'] }],
  }
}
