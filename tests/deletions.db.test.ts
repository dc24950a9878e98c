import { test } from '@svc/domain/testing/hooked-world'
import { expect } from 'vitest'
import { countOf } from './flat/sent.ts'

/** Called by id and by display id in turns; the last is nowhere, so that what is counted ends with the look-up. */
const calledInTurns = (found: readonly { id: string; displayId: string }[], nowhere: string) => [
  ...found.map(({ id, displayId }, place) => (place % 2 === 0 ? id : displayId)),
  nowhere,
]

test('many that are to be deleted are looked up at once', async ({ hooked }) => {
  const { world } = hooked
  const { alice, mission, project } = await world.missionWith(['one', 'two', 'three', 'four'])
  const missions: { id: string; displayId: string }[] = [mission]
  while (missions.length < 4) missions.push((await world.missionWith(['x'], { project })).mission)

  const sentFor = async (count: number) => {
    const missionIds = calledInTurns(missions.slice(0, count), `${project.slug}:999999999`)
    const objectiveIds = calledInTurns(
      mission.objectives.slice(0, count),
      `${mission.displayId}.zzzz`,
    )
    const refused = { code: 'not_found' }
    const [ofMissions] = await countOf(() =>
      expect(alice.call('deleteMissions', { missionIds })).rejects.toMatchObject(refused),
    )
    const [ofObjectives] = await countOf(() =>
      expect(alice.call('deleteObjectives', { objectiveIds })).rejects.toMatchObject(refused),
    )
    return [ofMissions, ofObjectives]
  }
  expect(await sentFor(4)).toEqual(await sentFor(2))
})
