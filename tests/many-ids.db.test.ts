import { testAt } from '@svc/api/testing/place'
import { createClient } from '@svc/client/client'
import { limits } from '@svc/contracts/limits'
import { highLimits } from '@svc/testing/high-limits'
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'

const test = testAt(({ baseUrl, world }) => ({ baseUrl, world }), highLimits)

test('as many ids as are read at once fit into an address', async ({
  place: { baseUrl, world },
}) => {
  const { alice, mission } = await world.missionWith(['one'])
  const client = createClient({ baseUrl, token: alice.token })
  const [objective] = mission.objectives
  const ids = [
    mission.id,
    objective.id,
    ...Array.from({ length: limits.idsAtOnce - 2 }, () => randomUUID()),
  ].join(',')
  const { missions } = await client.call('listMissions', { ids, limit: limits.pageItemsMax })
  expect(missions.map(({ id }) => id)).toEqual([mission.id])
  const { objectives } = await client.call('listObjectives', { ids, limit: limits.pageItemsMax })
  expect(objectives.map(({ id }) => id)).toEqual([objective.id])
})
