/** What the service does for runners, agents and people is the same when it runs in parts: these are its tests, once more. */
import { afterAll } from 'vitest'
import { serveInParts } from './support/service.ts'

afterAll(serveInParts())

await import('./launch-path.e2e.test.ts')
await import('./questions-answered.large.e2e.test.ts')
await import('./cancel.large.e2e.test.ts')
await import('./checks.large.e2e.test.ts')
await import('./refusals.e2e.test.ts')
await import('./login.e2e.test.ts')
await import('./protocol-agent-rights.large.e2e.test.ts')
