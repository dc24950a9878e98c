import { randomUUID } from 'node:crypto'
import type { ClaimAnswer } from '@svc/contracts/runner'
import { type Person, personWith } from '../../testing/people.ts'
import { claimBody } from '../../testing/runner.ts'
import { type World, test as base } from '../../testing/world.ts'
import { expect } from 'vitest'
import type { Actor } from '../../common/actor.ts'
import { channels } from '../../jobs/wake-hub.ts'
import type { Domain, DomainConfig } from '../../domain.ts'
import { claimExecutionRequest } from '../claim.ts'
import { countSleeping } from '../claim-waiters.ts'

const hour = 3_600_000
export const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i))
export const parallel = { allowParallelObjectives: true }

interface Has {
  agents?: string[]
  /** Keys of usable checkouts. */
  resources?: string[]
  fingerprint?: string
  claimId?: string
  waitSeconds?: number
  projectIds?: string[]
}

/** One process whose polls are hours apart, and runners of alice's that claim there, for as long as it takes. */
interface Waiting {
  domain: Domain
  /** She calls this process. */
  alice: Person
  /** A claim in a project that waits until it has something or its caller goes. */
  wait: (project: { id: string }, has?: Has, signal?: AbortSignal) => Promise<string | undefined>
  /** Until so many claims sleep in this process. */
  asleep: (count: number) => Promise<void>
}

export const test = base
  .extend('waiting', async ({ world }, { onCleanup }) => {
    const opened = new AsyncDisposableStack()
    onCleanup(() => opened.disposeAsync())
    return opened.use(await openWaiting(world))
  })
  .extend('elsewhere', async ({ world, waiting }, { onCleanup }) => {
    const opened = new AsyncDisposableStack()
    onCleanup(() => opened.disposeAsync())
    const elsewhere = opened.use(await openWaiting(world))
    await hears(waiting.domain, elsewhere.domain)
    await hears(elsewhere.domain, waiting.domain)
    return elsewhere
  })

export async function openWaiting(
  world: World,
  changes: Partial<DomainConfig> = {},
): Promise<Waiting & AsyncDisposable> {
  const domain = await world.openProcess({ pollMs: hour, ...changes })
  const actor = await world.alice.actor()
  const gone = new AbortController()
  const claims = new Set<Promise<unknown>>()
  const wait: Waiting['wait'] = async (project, has = {}, signal = gone.signal) => {
    const any = AbortSignal.any([gone.signal, signal])
    const claim = claimWith({ domain, actor, signal: any }, project, {
      waitSeconds: hour / 1000,
      ...has,
    })
    claims.add(claim)
    return (await claim).request?.objective.id
  }
  return {
    domain,
    alice: personWith(domain, world.alice.token),
    wait,
    asleep: (count) => expect.poll(() => countSleeping(domain)).toBe(count),
    async [Symbol.asyncDispose]() {
      gone.abort()
      await Promise.allSettled(claims)
      await domain[Symbol.asyncDispose]()
    },
  }
}

interface Caller {
  domain: Domain
  actor: Actor
  signal?: AbortSignal
}

export function claimWith(
  { actor, ...context }: Caller,
  project: { id: string },
  has: Has,
): Promise<ClaimAnswer> {
  const { fingerprint = `device-${randomUUID()}`, projectIds = [project.id], agents, ...rest } = has
  const resources = (rest.resources ?? []).map((resourceKey) => ({
    projectId: project.id,
    resourceKey,
  }))
  const body = claimBody(
    { projectIds, resources, ...(agents && { agents }) },
    fingerprint,
    randomUUID(),
  )
  const { claimId = body.claimId, waitSeconds = 0 } = rest
  return claimExecutionRequest(context, actor, { ...body, claimId, waitSeconds })
}

/** Told until it is heard: a process that has just opened may not listen yet. */
async function hears(from: Domain, to: Domain): Promise<void> {
  let heard = false
  using _hearing = to.wake.listen(channels.changes, () => (heard = true))
  await expect
    .poll(() => {
      from.wake.notify(channels.changes)
      return heard
    })
    .toBe(true)
}
