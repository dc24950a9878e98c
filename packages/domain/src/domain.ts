import type { ProjectLaunchSettings } from '@svc/contracts/launch-settings'
import { limits } from '@svc/contracts/limits'
import { type Database, openDatabase } from '@svc/db/database'
import { listen } from '@svc/db/listen'
import { refuseEarlier } from '@svc/db/migrate-schema'
import { type Jobs, openJobs } from './jobs/jobs.ts'
import type { Actor } from './common/actor.ts'
import type { DomainLog } from './common/log.ts'
import { type KeyRing, parseKeyRing } from './common/key-ring.ts'
import { type WakeHub, beat, channels, createWakeHub } from './jobs/wake-hub.ts'
import { type Outbound, noOutbound } from './outbound.ts'

/** Lease, heartbeat and sweep intervals, in seconds. */
export interface DomainSeconds {
  lease: number
  heartbeat: number
  attach: number
  sweep: number
  stale: number
  lost: number
  /** How long a cancelled run may take to end. */
  cancel: number
}

/** A change that is about to be committed. */
export interface LaunchSettingsChange {
  actor: Actor
  project: { id: string; slug: string }
  before: ProjectLaunchSettings
  after: ProjectLaunchSettings
}

export interface DomainConfig {
  databaseUrl: string
  /** Past a pooler; LISTEN needs one connection of its own. */
  directUrl?: string
  poolSize: number
  /** `kid:base64[,kid:base64…]`, at least 32 bytes each, the current one first. */
  secretKeys: string
  /** A second when left out: how often the service looks for what no hint named. */
  pollMs?: number
  /** false: no hints are sent or heard; polls alone carry everything. */
  notify: boolean
  /** false behind a pooler that keeps no prepared statements; they are used when left out. */
  prepare?: boolean
  seconds: DomainSeconds
  log: DomainLog
  /** How calls to addresses of users leave the process; without it there are none. */
  outbound?: Outbound
  /** Each delivery leaves a job that has its presentation composed; off when left out. Decision 38. */
  composes?: boolean
  /** Whether people sign in by passwords; they do when left out. */
  passwordLogin?: boolean
  /** Whether people make workspaces of their own; they do when left out. */
  newWorkspaces?: boolean
  /** What a run keeps of its output, and a workspace of that of its runs; of `limits` when left out. */
  logBytes?: number
  logQuotaBytes?: number
  /** How long the audit trail is kept; of `limits` when left out. */
  auditDays?: number
  /** The providers that people sign in by; none when left out. */
  issuers?: readonly string[]
  /** Hears of each change of launch settings before it is committed, one after the other of a project; is not to throw. */
  heedLaunchSettings?: (change: LaunchSettingsChange) => void
  /** Lapsed claims of jobs are taken back every so many seconds; by those who work on them. */
  superviseSeconds?: number
}

export interface Domain extends AsyncDisposable {
  db: Database
  jobs: Jobs
  keys: KeyRing
  wake: WakeHub
  seconds: DomainSeconds
  pollMs: number
  log: DomainLog
  outbound: Outbound
  composes: boolean
  passwordLogin: boolean
  newWorkspaces: boolean
  logBytes: number
  logQuotaBytes: number
  auditDays: number
  issuers: readonly string[]
  heedLaunchSettings: (change: LaunchSettingsChange) => void
}

/** Opens pools and the hint connection; the schema must be there already (`svc-admin migrate`). */
export async function openDomain(config: DomainConfig): Promise<Domain> {
  const { log } = config
  const keys = parseKeyRing(config.secretKeys)
  await using opened = new AsyncDisposableStack()
  const db = openDatabase({
    url: config.databaseUrl,
    poolSize: config.poolSize,
    onError: (error) => log.warn({ err: error }, 'an idle database connection broke'),
    ...(config.prepare !== undefined && { prepare: config.prepare }),
  })
  opened.defer(() => db.destroy())
  await refuseEarlier(db)
  const { superviseSeconds } = config
  const jobs = opened.use(await openJobs({ db, log, superviseSeconds }))
  const wake = opened.use(createWakeHub(config.notify ? db : null, log))
  if (config.notify) {
    opened.use(
      listen({
        url: config.directUrl ?? config.databaseUrl,
        channels: Object.values(channels),
        onNotify: (channel, payload) => wake.heard(channel, payload),
        onError: (error) => log.warn({ err: error }, 'the hint connection broke; polling goes on'),
      }),
    )
  }
  const { pollMs = 1_000 } = config
  const beating = setInterval(() => wake.heard(beat), pollMs).unref()
  opened.defer(() => clearInterval(beating))
  const resources = opened.move()
  return {
    db,
    jobs,
    keys,
    wake,
    seconds: config.seconds,
    pollMs,
    log,
    outbound: config.outbound ?? noOutbound,
    composes: config.composes ?? false,
    passwordLogin: config.passwordLogin ?? true,
    newWorkspaces: config.newWorkspaces ?? true,
    logBytes: config.logBytes ?? limits.logMiB * 2 ** 20,
    logQuotaBytes: config.logQuotaBytes ?? limits.logQuotaGiB * 2 ** 30,
    auditDays: config.auditDays ?? limits.auditDays,
    issuers: config.issuers ?? [],
    heedLaunchSettings: config.heedLaunchSettings ?? (() => undefined),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}
