import type { World } from '@svc/domain/testing/open-world'
import { deliveredMission } from '../pages/delivered-mission.ts'
import type { Hands } from './hands.ts'

export interface Place {
  world: World
  /** Opens a page of the workspace, and sees that it is there. */
  open: (path: string, seen: string | RegExp) => Promise<void>
}

/** Does one action of the app with the keyboard alone. */
export type Proof = (place: Place, hands: Hands) => Promise<void>

export async function atBoard({ world, open }: Place, hands: Hands) {
  const made = await world.missionWith([], { title: 'Dark icons' })
  await open(`/p/${made.project.slug}`, 'Dark icons')
  await hands.press('j')
  return made
}

export async function openColumns(hands: Hands) {
  await hands.do('More of this board')
  await hands.pick('Columns …')
  await hands.seesDialog('Columns')
  await hands.sees('Rename Backlog')
}

/** With the first of its objectives unfolded. */
export async function atMission(
  place: Place,
  hands: Hands,
  prepare: (made: Awaited<ReturnType<typeof makeMission>>) => Promise<unknown> = async () =>
    undefined,
) {
  const made = await makeMission(place)
  await prepare(made)
  await place.open(`/m/${made.mission.displayId}`, 'Objectives')
  await hands.press('j', 'Enter')
  return made
}

export const makeMission = ({ world }: Place) =>
  world.missionWith(['One', 'Two'], { title: 'Icons' })

export async function atNeeds({ open }: Place, project: { slug: string }, seen: string) {
  await open(`?project=${project.slug}`, seen)
}

export async function hold(
  { world }: Place,
  { project, mission }: Awaited<ReturnType<typeof makeMission>>,
) {
  for (const { id } of mission.objectives) {
    await world.alice.call('updateObjective', { id, assigned_agent: 'scripted' })
    await world.alice.call('queueObjective', { objectiveId: id })
  }
  const runner = await world.connectedRunner(project)
  const { queues } = await world.alice.call('listRunQueues', { id: project.id })
  await world.alice.call('startRunQueue', { id: queues[0]?.id ?? '' })
  await runner.failed(await runner.take())
}

/** The launch of the second objective while the first one runs. */
export async function atBusyLaunch(place: Place, hands: Hands) {
  await atMission(place, hands, ({ mission }) => place.world.attachedRun(mission.objectives[0]))
  await hands.press('j', 'l')
  await hands.seesDialog(/^Launch /)
  await hands.sees('Who can take it')
  await hands.type('scripted')
  await hands.sees('Let them run together')
}

export async function atReview({ world, open }: Place) {
  const { mission } = await deliveredMission(world)
  await open(`/m/${mission.displayId}/review`, 'Ask for changes')
}
