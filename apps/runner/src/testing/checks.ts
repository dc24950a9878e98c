import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CheckReport } from '@svc/contracts/check'
import type { Daemon } from '../daemon/daemon.ts'
import { type RunnerWorld, openRunnerWorld } from './runner-world.ts'

type Checks = Record<string, { command: string; timeoutSeconds?: number }>

export interface CheckedWorld extends RunnerWorld {
  daemon: Daemon
  requestId: string
  /** As where a delivery waits: the supervisor hears of it with its renewals until it has said what they came to. */
  attempt: (number: number, ...names: string[]) => Promise<CheckReport>
  want: (number: number, ...names: string[]) => void
  reports: () => { attempt: number; report?: CheckReport }[]
  /** Lets the agent end. */
  end: () => void
}

/** A world with a run whose project has these checks, and whose agent stays until it is let go. */
export async function openChecked(
  checks: Checks,
  {
    agent = 'true',
    launchEnvVars = {},
  }: { agent?: string; launchEnvVars?: Record<string, string> } = {},
): Promise<CheckedWorld> {
  const waiting = 'until [ -e .svc/end ]; do sleep 0.1; done'
  const world = await openRunnerWorld(`${agent}; ${waiting}`)
  const { service } = world
  const assignment = world.queue({ launchSettings: { checks, launchEnvVars } })
  world.trust(assignment)
  const requestId = assignment.executionRequest.id
  let wanted: { attempt: number; names: string[] } | undefined
  service.answer('heartbeatRunner', () => ({
    status: 200,
    json: {
      leases: [
        { requestId, ok: true, leaseExpiresInSeconds: 3, attached: true, outcome: 'running' },
      ],
      directives: wanted ? [{ type: 'check', requestId, ...wanted }] : [],
      serverTime: 'now',
    },
  }))
  const reports: CheckedWorld['reports'] = () =>
    // the service has parsed each by its contract
    service.calls('reportCheck').map(({ body }) => body as never)
  const daemon = await world.start()
  await service.called('reportLaunched')
  const want: CheckedWorld['want'] = (attempt, ...names) => (wanted = { attempt, names })
  return {
    ...world,
    daemon,
    requestId,
    want,
    reports,
    async attempt(number, ...names) {
      want(number, ...names)
      for (;;) {
        const found = reports().find((one) => one.attempt === number && one.report)
        if (found?.report) return found.report
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    end: () => writeFileSync(join(world.worktree, '.svc', 'end'), ''),
  }
}
