import type { Domain } from '@svc/domain/domain'
import { checkReady } from '@svc/domain/ready'
import { type HttpApp, createApp } from '@svc/http/create-app'
import { bindHealth } from '@svc/http/health'
import type { Log } from '@svc/process/log'

/** Longer than whoever asks waits: a check that is late has not failed. */
const checkMs = 5_000

/** The app of a process of the service: so far it answers whether the process lives, and whether it is ready. */
export function createServiceApp(domain: Domain, log: Log): HttpApp {
  const app = createApp(log)
  bindHealth(app, () => checkReady(domain, checkMs))
  return app
}
