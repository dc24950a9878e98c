import { createHash, randomUUID } from 'node:crypto'
import type { ExecutionRequest } from '@svc/contracts/execution-request'
import type { RouteOutput, RouteRequest } from '@svc/contracts/rest'
import type { Prepared } from '@svc/contracts/assignment'
import type { ClaimAnswer, HeartbeatAnswer } from '@svc/contracts/runner'
import type { Domain } from '../domain.ts'
import { type Agent, type AgentStart, agentWith } from './agent.ts'
import { type CallOptions, type Caller, callerWith } from './caller.ts'
import { scripted } from './people.ts'

/** What a claim was answered with: the right to report on one run. */
export interface Lease {
  id: string
  leaseToken: string
  generation: number
  /** Where the claim asked for one. */
  agentToken?: string | undefined
}

type Claim = RouteRequest<'claimExecutionRequest'>
type ReportName = 'reportLaunched' | 'reportFailed' | 'reportReleased' | 'reportExited'
type Report<N extends ReportName> = Partial<Omit<RouteRequest<N>, 'id' | 'leaseToken'>>

export interface TestRunner extends Caller {
  fingerprint: string
  instanceId: string
  claim(changes?: Partial<Claim>, options?: CallOptions): Promise<ClaimAnswer>
  /** A claim that must find something. */
  take(changes?: Partial<Claim>): Promise<Lease>
  heartbeat(...leases: Lease[]): Promise<HeartbeatAnswer['leases']>
  launching(lease: Lease, branch?: string, more?: Partial<Prepared>): Promise<ExecutionRequest>
  launched(lease: Lease, report?: Report<'reportLaunched'>): Promise<ExecutionRequest>
  failed(lease: Lease, report?: Report<'reportFailed'>): Promise<ExecutionRequest>
  released(lease: Lease, report?: Report<'reportReleased'>): Promise<ExecutionRequest>
  exited(lease: Lease, report?: Report<'reportExited'>): Promise<ExecutionRequest>
  log(lease: Lease, offset: number, text: string, skipped?: number): Promise<number>
  diff(lease: Lease, changes?: Partial<RouteRequest<'replaceRunDiff'>>): Promise<void>
  /** The same in parts, each file with a patch. */
  changes(lease: Lease, paths: readonly string[]): Promise<void>
  /** The process that the supervisor starts, with its own token where the claim gave one; it has not attached yet. */
  agent(lease: Lease, start?: Partial<AgentStart>): Agent
}

export interface RunnerSetUp {
  projectIds: Claim['projectIds']
  agents?: string[]
  /** Linked checkouts that it has, usable ones. */
  resources?: { projectId: string; resourceKey: string }[]
  label?: string
  /** It clones what it works in, and is gone after one run. */
  ephemeral?: boolean
}

export function runnerWith(domain: Domain, token: string, setUp: RunnerSetUp): TestRunner {
  const caller = callerWith(domain, token)
  const fingerprint = `device-${randomUUID()}`
  const instanceId = randomUUID()
  const claim: TestRunner['claim'] = (changes, options) =>
    caller.call(
      'claimExecutionRequest',
      { ...claimBody(setUp, fingerprint, instanceId), ...changes },
      options,
    )
  return {
    ...caller,
    fingerprint,
    instanceId,
    claim,
    take: async (changes) => leaseOf(await claim(changes)),
    heartbeat: async (...leases) => {
      const named = leases.map(({ id, leaseToken }) => ({
        requestId: id,
        leaseToken,
        state: 'running' as const,
      }))
      return (await caller.call('heartbeatRunner', { instanceId, leases: named })).leases
    },
    ...reportsOf(caller),
    agent: (lease, start) =>
      agentWith(domain, lease.agentToken ?? token, {
        executionRequestId: lease.id,
        generation: lease.generation,
        device: fingerprint,
        ...start,
      }),
  }
}

/** What a runner says of itself when it asks for work, under a claim id of its own each time. */
export function claimBody(setUp: RunnerSetUp, fingerprint: string, instanceId: string): Claim {
  const label = setUp.label ?? 'workbench'
  return {
    claimId: randomUUID(),
    projectIds: setUp.projectIds,
    device: { fingerprint, label, platform: 'linux', arch: 'x64' },
    runner: { instanceId, version: '1.0.0', capacity: { max: 4, running: 0 } },
    agents: (setUp.agents ?? [scripted]).map((key) => ({
      key,
      version: null,
      path: `/bin/${key}`,
    })),
    resources: (setUp.resources ?? []).map((one) => ({
      ...one,
      path: `/src/${one.resourceKey}`,
      state: 'usable' as const,
    })),
    ...(setUp.ephemeral && { ephemeral: true }),
  }
}

export function leaseOf(answer: RouteOutput<'claimExecutionRequest'>): Lease {
  const { request, leaseToken, agentToken } = answer
  if (!request || leaseToken === undefined) throw new Error('the claim found nothing to take')
  const { id, generation } = request.executionRequest
  return { id, leaseToken, generation, agentToken }
}

/** What a supervisor reports, where a test says no other. */
export const prepared = { workingDirectory: '/src/work', baseSha: null, checkout: 'own' } as const
export const startedProcess = { pid: 4711, pidStartedAt: '1', argvRedacted: [scripted] }
export const failure = {
  code: 'agent_not_found',
  message: 'It is not installed.',
  phase: 'spawn',
} as const
const exit = { exitCode: 0, signal: null, cause: 'agent', lastOutput: 'bye' } as const
const diff = {
  baseSha: 'a'.repeat(40),
  headSha: 'b'.repeat(40),
  stat: [],
  truncated: false,
  dirty: false,
}

/** Of files that `changes` reports. */
export const nameOfReport = (paths: readonly string[]) =>
  createHash('sha256').update(paths.join('\n')).digest('hex')

function reportsOf({ call }: Caller) {
  const named = ({ id, leaseToken }: Lease) => ({ id, leaseToken })
  const of = async (answer: Promise<{ executionRequest: ExecutionRequest }>) =>
    (await answer).executionRequest
  return {
    launching: (lease, branch, more) =>
      of(
        call('reportLaunching', {
          ...named(lease),
          ...(branch !== undefined && { prepared: { ...prepared, branch, ...more } }),
        }),
      ),
    launched: (lease, report) =>
      of(call('reportLaunched', { ...named(lease), ...startedProcess, ...report })),
    failed: (lease, report) => of(call('reportFailed', { ...named(lease), ...failure, ...report })),
    released: (lease, report) =>
      of(call('reportReleased', { ...named(lease), reason: 'network', ...report })),
    exited: (lease, report) => of(call('reportExited', { ...named(lease), ...exit, ...report })),
    log: async (lease, offset, text, skipped = 0) => {
      const { nextOffset } = await call('appendRunLog', {
        id: lease.id,
        'x-svc-lease': lease.leaseToken,
        'x-svc-offset': offset,
        'x-svc-skipped': skipped,
        bytes: Buffer.from(text),
      })
      return nextOffset
    },
    changes: async (lease, paths) => {
      const part = { ...named(lease), report: nameOfReport(paths) }
      const files = paths.map((filePath) => ({ filePath, additions: 1, deletions: 0 }))
      const patches = paths.map((path, position) => ({
        position,
        patch: `diff --git a/${path} b/${path}\n+${path}\n`,
      }))
      await call('reportRunFiles', { ...part, from: 0, files })
      await call('reportRunPatches', { ...part, patches })
      const { stat: _stat, ...rest } = diff
      const counts = { files: files.length, patches: patches.length }
      await call('completeRunFiles', { ...part, ...rest, ...counts })
    },
    diff: async (lease, changes) => {
      await call('replaceRunDiff', { ...named(lease), ...diff, ...changes })
    },
  } satisfies Partial<TestRunner>
}
