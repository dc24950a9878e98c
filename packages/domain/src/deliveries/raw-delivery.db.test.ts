import { toolContract, toolNames } from '@svc/contracts/mcp/tools'
import { furnish } from '../testing/furnished.ts'
import { test } from '../testing/hooked-world.ts'
import { inputOf } from '../testing/least-input.ts'
import { operations, outcomeOf } from '../testing/operations.ts'
import { rationaleOf } from '../testing/samples.ts'
import { verifies } from '@svc/testing/verifies'
import { expect } from 'vitest'

const readingTools = new Set<string>(toolNames.filter((name) => toolContract(name).hints.readOnly))

/** Everything that only reads, by whatever surface. */
const reading = operations.filter(
  ({ name, surface, endpoint }) =>
    endpoint.method === 'GET' ||
    (surface === 'tool' && readingTools.has(name)) ||
    name === 'protocol load-context',
)

const marker = 'as it was sent'

test(
  verifies('delivery.no-raw-payload', 'what is sent beside a delivery is shown nowhere'),
  async ({ hooked }) => {
    const { alice, receiver, subscribe, deliverDue } = hooked
    const eventTypes = ['mission.delivered', 'objective.completed', 'mission.status_changed']
    await subscribe({ eventTypes, payloadMode: 'full' })
    await subscribe({ eventTypes, payloadMode: 'thin' })
    const { names, lease, mission } = await furnish(hooked, alice)
    const { deliveryId } = await alice.protocol('deliver', {
      sessionKey: String(names.sessionKey),
      summary: 'Done.',
      report: { risks: [{ text: 'Races', nobodyKnows: marker }], nobodyKnows: marker },
      changeRationales: [{ ...rationaleOf('a.ts'), nobodyKnows: marker }],
    })
    await deliverDue()

    const named = { ...names, deliveryId }
    const shown = new Map<string, string>()
    for (const operation of reading) {
      const input = inputOf(operation, named, lease)
      shown.set(operation.name, JSON.stringify(await outcomeOf(operation.call(alice, input))))
    }
    const bodies = receiver.posts.map(({ raw }) => raw.toString())

    expect(shown.get('GET /api/missions/:id/deliveries')).toContain(deliveryId)
    expect(shown.get('protocol load-context')).toContain(mission.id)
    expect(bodies.filter((body) => body.includes(deliveryId)).length).toBeGreaterThan(0)
    const showing = [...shown].filter(([, text]) => text.includes(marker)).map(([name]) => name)
    expect([...showing, ...bodies.filter((body) => body.includes(marker))]).toEqual([])
  },
)
