import { queues } from '@svc/domain/jobs/jobs'
import { dropJobs } from '@svc/domain/testing/drop-jobs'
import { createLog } from '@svc/process/log'
import { type World, test as base } from '@svc/domain/testing/world'
import { expect } from 'vitest'
import { type Dispatching, startDispatcher } from '../dispatcher.ts'
import { type ComposerServer, openComposerServer } from './composer-server.ts'

type Risks = { text: string; evidence: string }[]

export const risks: Risks = [{ text: 'Two at once', evidence: 'a test' }]
export const deterministic = 'Done.\n\n## Risks\n\n- Two at once — a test'

interface Delivered {
  id: string
  /** How it is presented now, to a person. */
  read: () => Promise<{ status: string; markdown: string } | undefined>
  hasJob: () => Promise<boolean>
}

export interface Composing extends AsyncDisposable {
  server: ComposerServer
  deliver: (reported?: Risks) => Promise<Delivered>
  /** Another dispatcher; its polls are waited for by nobody. */
  start: () => Dispatching
  /** Makes the compositions that are due. */
  drain: () => Promise<void>
  /** Lets the claims of dead processes lapse. */
  lapse: () => Promise<void>
}

const hour = 3_600_000

async function openComposing(world: World): Promise<Composing> {
  await using opened = new AsyncDisposableStack()
  const { domain } = world
  const server = opened.use(await openComposerServer())
  Object.assign(domain, { composes: true })
  opened.defer(() => void Object.assign(domain, { composes: false }))
  const start = () =>
    startDispatcher({
      domain,
      composer: server.composer(),
      log: createLog({ name: 'test', level: 'silent' }),
      timing: { pollMs: hour, sweepMs: hour, slowSweepMs: hour },
    })
  const dispatcher = opened.use(start())
  opened.defer(() => dropJobs(domain, queues.presentation))
  const resources = opened.move()
  return {
    server,
    start,
    drain: () => dispatcher.drain(),
    deliver: (reported) => deliver(world, reported),
    async lapse() {
      await world.advance(121)
      await domain.jobs.supervise()
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

export async function deliver(world: World, reported: Risks = risks): Promise<Delivered> {
  const { domain } = world
  const { alice, mission } = await world.missionWith(['do it'])
  const { agent } = await world.attachedRun(mission.objectives[0])
  const { deliveryId: id } = await agent.deliver({ summary: 'Done.', report: { risks: reported } })
  return {
    id,
    async read() {
      const { deliveries } = await alice.call('listDeliveries', { id: mission.id })
      // whatever is composed, what the agent said stays
      expect(deliveries).toMatchObject([
        { id, summary: 'Done.', report: { agentReport: { risks: reported } } },
      ])
      return deliveries[0]?.report.presentation
    },
    hasJob: async () => (await domain.jobs.live(domain.db, 'presentation', [id])).has(id),
  }
}

export const test = base.extend('composing', async ({ world }, { onCleanup }) => {
  const composing = await openComposing(world)
  onCleanup(() => composing[Symbol.asyncDispose]())
  return composing
})
