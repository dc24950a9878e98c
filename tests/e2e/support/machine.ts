import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Home, openHome } from '@svc/runner/files/home'
import { linkCheckout } from '@svc/runner/files/resources'
import { type JournalStep, findStep, readJournal } from '@svc/runner/run/journal'
import { hasRunFolder, listRunFolders, listUnfinishedRuns } from '@svc/runner/run/run-folder'
import { scriptedAgentMain, writeAgents } from './agents.ts'
import { type Started, commandOf, killAll, processesWith, startNode } from './processes.ts'
import { programs } from './programs.ts'
import { type Proxy, openProxy } from './proxy.ts'
import { ofPerson, temporaryFolder } from '@svc/testing/temporary'
import { until } from './until.ts'

export interface MachineSetUp {
  /** The origin of the service. */
  baseUrl: string
  token: string
  /** The token is that of a login, and no variable names it. */
  isSignedIn?: boolean
  max?: number
  /** Slug of the only project to work for. */
  project?: string
  env?: NodeJS.ProcessEnv
  /** The program that is started; `programs.svc` when left out. */
  main?: string
  /** Further ones of `svc runner start`. */
  args?: readonly string[]
}

/** One runner's home with its daemon; it reaches the service through a proxy of its own. */
export interface Machine extends AsyncDisposable {
  readonly home: Home
  readonly proxy: Proxy
  readonly daemon: () => Started
  /** Starts its daemon, again if need be, from then on by another program where one is given. */
  start: (main?: string) => Started
  /** As `svc login` leaves it for the next start. */
  signIn: (token: string) => void
  link: (link: { id: string; slug: string }, resourceKey: string, path: string) => void
  /** Until it waits for work. */
  connected: () => Promise<void>
  /** Journals of its runs, oldest first. */
  runs: () => { folder: string; steps: JournalStep[] }[]
  hasRun: (requestId: string, generation: number) => boolean
  /** Waits for that step of the newest run. */
  step: <N extends JournalStep['step']>(name: N) => Promise<Extract<JournalStep, { step: N }>>
  /** Process ids of what the newest run consists of. */
  supervisor: () => Promise<number>
  agent: () => Promise<number>
  /** Every living process that this machine's daemon started, and the daemon. */
  processes: () => number[]
  /** Until only the daemon, if anything, lives. */
  alone: () => Promise<void>
  /** Until no run is left to look after and only the daemon, if anything, lives. */
  settled: () => Promise<void>
}

export async function openMachine(setUp: MachineSetUp): Promise<Machine> {
  const temporary = temporaryFolder(ofPerson)
  const folder = temporary.path
  const home = openHome(join(folder, 'runner'))
  const proxy = await openProxy(() => setUp.baseUrl)
  writeAgents(home.folder)
  const config = join(folder, 'home', '.config', 'svc')
  mkdirSync(config, { recursive: true })
  const { isSignedIn = false, token } = setUp
  const signIn = (by: string) => {
    const credentials = JSON.stringify({ baseUrl: proxy.url, token: by })
    writeFileSync(join(config, 'credentials.json'), credentials, { mode: 0o600 })
  }
  if (isSignedIn) signIn(token)
  let daemon: Started | undefined
  let program = setUp.main ?? programs.svc

  const start = (main = program) => {
    program = main
    const args = ['runner', 'start', '--max', String(setUp.max ?? 4)]
    if (setUp.project !== undefined) args.push('--project', setUp.project)
    args.push(...(setUp.args ?? []))
    daemon = startNode(program, args, {
      cwd: folder,
      env: {
        HOME: join(folder, 'home'),
        SVC_BACKEND_URL: proxy.url,
        ...(!isSignedIn && { SVC_USER_TOKEN: token }),
        SVC_RUNNER_HOME: home.folder,
        SVC_SCRIPTED_AGENT: scriptedAgentMain,
        SVC_RUNNER_LADDER_SECONDS: '0.4,0.4',
        ...setUp.env,
      },
    })
    return daemon
  }
  const required = () => {
    if (daemon === undefined) throw new Error('start the daemon of this machine first')
    return daemon
  }
  const runs = () =>
    listRunFolders(home).map((path) => ({ folder: path, steps: readJournal(path) }))
  const details = () => `${daemon?.output()}\n${JSON.stringify(runs(), null, 1)}`
  const step: Machine['step'] = (name) =>
    until(`a run is ${name}`, () => findStep(runs().at(-1)?.steps ?? [], name), { details })
  const processes = () => processesWith(`SVC_RUNNER_HOME=${home.folder}`)
  const others = () => processes().filter((pid) => pid !== daemon?.pid)
  const alone = async () => {
    const names = () => others().map(commandOf).join('\n')
    await until('nothing but the daemon lives', () => others().length === 0, { details: names })
  }

  return {
    home,
    proxy,
    daemon: required,
    start,
    signIn,
    link: ({ id, slug }, resourceKey, path) =>
      linkCheckout(home, { projectId: id, projectSlug: slug, resourceKey, path }),
    async connected() {
      const hasAsked = () => proxy.seen.some(({ path }) => path.endsWith('/claim'))
      await until('the runner asks for work', hasAsked, { details })
    },
    runs,
    hasRun: (requestId, generation) => hasRunFolder(home, requestId, generation),
    step,
    supervisor: async () => (await step('supervisor')).pid,
    agent: async () => (await step('spawned')).pid,
    processes,
    alone,
    async settled() {
      const isOver = () => listUnfinishedRuns(home).length === 0
      await until('every run of the machine is over', isOver, { details })
      await alone()
    },
    async [Symbol.asyncDispose]() {
      await stop(daemon)
      killAll(processes())
      await proxy[Symbol.asyncDispose]()
      temporary[Symbol.dispose]()
    },
  }
}

async function stop(daemon: Started | undefined): Promise<void> {
  if (daemon === undefined || daemon.isOver()) return
  daemon.kill('SIGQUIT')
  const timer = setTimeout(() => daemon.kill('SIGKILL'), 8_000)
  await daemon.ended
  clearTimeout(timer)
}
