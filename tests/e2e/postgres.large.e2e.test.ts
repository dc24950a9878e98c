import { rm } from 'node:fs/promises'
import { type EmbeddedPostgres, startPostgres } from '@svc/embedded-postgres/start'
import { test as base, describe, expect } from 'vitest'
import { heldIn, phases } from './support/phases.ts'
import { killAll } from './support/processes.ts'
import { openService } from './support/service.ts'
import { temporaryFolder } from '@svc/testing/temporary'
import { expectWhole } from './support/whole.ts'

/** A PostgreSQL of this file's own, which can be killed. */
interface Postgres {
  url: string
  kill: () => Promise<void>
  start: () => Promise<void>
}

// oxlint-disable-next-line no-empty-pattern -- vitest reads here which other fixtures are needed: none
const withPostgres = base.extend('postgres', { scope: 'file' }, async ({}, { onCleanup }) => {
  const { path: folder } = temporaryFolder()
  const start = () => startPostgres({ folder })
  let server: EmbeddedPostgres = await start()
  // Ctrl-C ends the tests without a clean-up.
  const abandon = () => killAll([server.pid])
  process.once('exit', abandon)
  onCleanup(async () => {
    process.off('exit', abandon)
    await server.stop()
    for (const place of [folder, server.location]) await rm(place, { recursive: true, force: true })
  })
  return {
    url: server.connectionString,
    async kill() {
      killAll([server.pid])
      await server.closed
      await server.stop()
    },
    async start() {
      server = await start()
    },
  } satisfies Postgres
})

const test = withPostgres.extend(
  'service',
  { scope: 'file' },
  async ({ postgres }, { onCleanup }) => {
    // a lease runs on while PostgreSQL is away, and none is to lapse here
    const service = await openService(postgres.url, { SVC_LEASE_SECONDS: '60' })
    onCleanup(() => service[Symbol.asyncDispose]())
    return service
  },
)

describe('kill -9 of PostgreSQL', () => {
  test.for(phases)('disturbs no run that is %s', async (phase, { service, postgres }) => {
    await using scene = await service.scene({ repository: true })
    const { machine, gate } = await heldIn(scene, phase)
    await postgres.kill()
    gate.open()
    await postgres.start()
    const run = await scene.untilEnded()
    expect(run).toMatchObject({ outcome: 'delivered', exit: { exitCode: 0, cause: 'agent' } })
    expect(service.api().isOver()).toBe(false)
    await expectWhole(scene, machine, { deliveries: 1, attached: 1 })
  })
})
