import { composeDue } from '@svc/domain/deliveries/compose-due'
import { test } from '@svc/domain/testing/hooked-world'
import { verifies } from '@svc/testing/verifies'
import { expect, onTestFinished } from 'vitest'
import { openComposerServer, sends } from './testing/composer-server.ts'

const never = new AbortController().signal
const markdown = 'Done.'

/** Whatever stands under `presentation`, at any depth. */
function presentationsIn(shown: unknown): unknown[] {
  const found: unknown[] = []
  JSON.stringify(shown, (key, value: unknown) => {
    if (key === 'presentation') found.push(value)
    return value
  })
  return found
}

test(
  verifies(
    'delivery.no-worker-metadata',
    'what a worker notes of its tries to compose a delivery is shown nowhere',
  ),
  async ({ hooked, world }) => {
    await using server = await openComposerServer()
    server.answer(sends('{"error":"out of breath"}', 500))
    const { domain } = world
    Object.assign(domain, { composes: true })
    onTestFinished(() => void Object.assign(domain, { composes: false }))
    await hooked.subscribe({
      eventTypes: ['mission.delivered'],
      payloadMode: 'full',
    })
    const { alice, mission } = await world.missionWith(['do it'])
    const { agent } = await world.attachedRun(mission.objectives[0])
    const { deliveryId } = await agent.deliver({ summary: markdown })

    const surfaces = async () => {
      const { id } = mission
      const scope = { missionId: id }
      return {
        delivered: [
          await alice.call('listDeliveries', { id }),
          await alice.protocol('load-context', scope),
          await alice.tool('svc_list_deliveries', scope),
          await alice.tool('svc_load_mission_context', scope),
        ],
        told: [
          await alice.call('getMission', { id }),
          await alice.call('listMissionEvents', { id }),
          await alice.call('listNotifications', {}),
          await domain.db
            .selectFrom('entity_changes')
            .select(['entity', 'operation', 'data'])
            .where('entity_id', '=', deliveryId)
            .execute(),
        ],
      }
    }
    const shows = async (status: string) => {
      const { delivered, told } = await surfaces()
      for (const shown of delivered) {
        expect(presentationsIn(shown)).toStrictEqual([{ status, markdown }])
      }
      const notes = /out of breath|key-of-the-composer|\b500\b|retry|attempt/i
      expect(JSON.stringify(told)).not.toMatch(notes)
    }

    await shows('composing')
    for (let tries = 1; tries <= 4; tries += 1) {
      await composeDue(domain, server.composer(), never)
      expect(server.asked).toHaveLength(tries)
      if (tries === 1) {
        await hooked.deliverDue()
        const sent = hooked.receiver.posts.map(({ body }) => presentationsIn(body))
        expect(sent).toStrictEqual([[{ status: 'composing', markdown }]])
      }
      await shows(tries < 4 ? 'composing' : 'deterministic')
      await world.advance(121)
    }
  },
)
