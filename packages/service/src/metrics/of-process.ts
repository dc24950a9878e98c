import type { Domain } from '@svc/domain/domain'
import { ownConnections } from '@svc/domain/operations/own-connections'
import { attemptEnded, callRefused, loopPassed, requestAnswered } from '@svc/process/measured'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

/** Seconds. From a read of one row to a call that goes on for as long as it may. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** What this process has done since it began, and which connections it has. Disposing ends the counting. */
export function measureProcess(registry: Registry, domain: Domain): DisposableStack {
  const registers = [registry]
  const requests = new Histogram({
    name: 'svc_http_request_duration_seconds',
    help: 'Requests by route, until their answer begins: of a claim that waits after a quarter of a second at most, of a feed at once.',
    labelNames: ['method', 'route', 'status'],
    buckets,
    registers,
  })
  const refusals = new Counter({
    name: 'svc_refusals_total',
    help: 'Calls that were refused, by the code of the refusal.',
    labelNames: ['code'],
    registers,
  })
  const passes = new Histogram({
    name: 'svc_loop_pass_seconds',
    help: 'Passes of the loops in the background.',
    labelNames: ['loop', 'outcome'],
    buckets,
    registers,
  })
  const attempts = new Histogram({
    name: 'svc_webhook_attempt_seconds',
    help: 'Attempts to deliver a webhook, by what came of them.',
    labelNames: ['outcome'],
    buckets,
    registers,
  })
  new Gauge({
    name: 'svc_database_connections',
    help: 'Database connections of this process; waiting: statements that wait for one.',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, count] of Object.entries(ownConnections(domain))) {
        this.set({ state }, count)
      }
    },
  })
  const hearing = new DisposableStack()
  hearing.use(
    requestAnswered.hear(({ method, route, status, seconds }) =>
      requests.observe({ method, route, status: String(status) }, seconds),
    ),
  )
  hearing.use(callRefused.hear(({ code }) => refusals.inc({ code })))
  hearing.use(
    loopPassed.hear(({ loop, failed, seconds }) =>
      passes.observe({ loop, outcome: failed ? 'failed' : 'passed' }, seconds),
    ),
  )
  hearing.use(
    attemptEnded.hear(({ outcome, seconds }) =>
      attempts.observe({ outcome: outcome.replace(/^http_(\d)\d\d$/, 'http_$1xx') }, seconds),
    ),
  )
  return hearing
}
