import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { test } from '@svc/domain/testing/hooked-world'
import { followFeed } from '@svc/domain/testing/follow-feed'
import { personWith } from '@svc/domain/testing/people'
import { claimBody } from '@svc/domain/testing/runner'
import { fanOutDue } from '@svc/domain/webhooks/sending/fan-out'
import { defaultTiming } from '@svc/domain/webhooks/sending/retry-schedule'
import { expect } from 'vitest'
import { countOf, countReads } from './flat/sent.ts'

/**
 * What each call may send, from its look at the token to its commit. A call that needs more says why in the commit that
 * raises its number: each is a round trip.
 */
const most = {
  launch: 6,
  claim: 6,
  launching: 6,
  launched: 5,
  attach: 8,
  deliver: 6,
  'fan-out': 5,
}

test('a cycle from launch to delivery sends so many statements and no more', async ({ hooked }) => {
  const { world, domain, subscribe } = hooked
  const { alice } = world
  await subscribe({ eventTypes: ['mission.delivered'] })
  const { mission, project } = await world.missionWith(['one', 'two', 'three', 'four'])
  const [first, second, third] = mission.objectives
  const runner = await world.connectedRunner(project)
  const cycle = async ({ id }: { id: string }, mintAgentToken: boolean) => {
    const key = { idempotencyKey: id }
    const [launch] = await countOf(() =>
      alice.call('launchObjective', { id, agent: 'scripted' }, key),
    )
    const [claim, lease] = await countOf(() => runner.take({ mintAgentToken }))
    const [launching] = await countOf(() => runner.launching(lease, 'svc/x'))
    const [launched] = await countOf(() => runner.launched(lease))
    const agent = runner.agent(lease)
    const [attach] = await countOf(() => agent.attach({}, key))
    const [deliver] = await countOf(() => agent.deliver({}, key))
    const [fanOut] = await countOf(() => fanOutDue(domain, defaultTiming))
    return { launch, claim, launching, launched, attach, deliver, 'fan-out': fanOut }
  }
  // the first of a mission also moves it into execution
  await cycle(first, false)
  for (const [objective, mintAgentToken] of [[second, false] as const, [third, true] as const]) {
    const sent = Object.entries(await cycle(objective, mintAgentToken))
    const over = sent.filter(([call, count]) => count > most[call as keyof typeof most])
    expect([sent.length, over]).toEqual([Object.keys(most).length, []])
  }
  const [none] = await countOf(() => fanOutDue(domain, defaultTiming))
  expect(none).toBe(1)
  expect(Object.values(most).reduce((sum, count) => sum + count)).toBeLessThanOrEqual(42)
})

test('a claim that waits in vain looks once at first and once in the end', async ({
  hooked: { world },
}) => {
  // nothing else looks meanwhile
  await using domain = await world.openProcess({ pollMs: 3_600_000 })
  const person = personWith(domain, world.alice.token)
  const project = await world.projectWith()
  const claim = (waitSeconds: number) => {
    const body = claimBody({ projectIds: [project.id] }, 'device-of-a-box', randomUUID())
    return person.call('claimExecutionRequest', { ...body, waitSeconds })
  }
  await claim(0)
  const [atOnce] = await countOf(() => claim(0))
  const [waited, answer] = await countOf(() => claim(0.05))
  expect(answer).toMatchObject({ request: null, waited: true })
  // the second look records nothing of the runner, and looks at its rights once more
  expect(waited).toBe(2 * atOnce)
})

test('the open feeds of a process read what is new together', async ({ hooked: { world } }) => {
  // nothing but hints wakes them
  await using domain = await world.openProcess({ pollMs: 3_600_000 })
  const { alice } = world
  const count = 20
  const feeds = await Promise.all(
    Array.from({ length: count }, () => followFeed({ domain }, alice)),
  )
  using reads = countReads('entity_changes')
  const heard = Promise.all(feeds.map((feed) => feed.take(1))).then(() => true)
  let changes = 0
  // while any transaction of the server is open, what came after it is told to nobody
  while ((await Promise.race([heard, delay(200)])) !== true) {
    await alice.call('createProject', { name: `Project ${changes}`, slug: `project-${changes}` })
    changes += 1
  }
  // one for each when it was opened, and not one for each change as well
  expect(reads.count()).toBeLessThanOrEqual(count + 2 * changes)
  for (const feed of feeds) await feed.close()
})
