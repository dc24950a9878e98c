import type { Person } from '../../testing/people.ts'
import type { World } from '../../testing/world.ts'

export const remove = (person: Person, missions: readonly { id: string }[]) =>
  person.call('deleteMissions', { missionIds: missions.map(({ id }) => id), confirm: true })

export async function missionsOf(world: World, count: number) {
  const project = await world.projectWith()
  const missions: Awaited<ReturnType<typeof world.missionWith>>['mission'][] = []
  while (missions.length < count) {
    missions.push((await world.missionWith(['first', 'second'], { project })).mission)
  }
  return missions
}
