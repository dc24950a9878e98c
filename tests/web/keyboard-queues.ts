import type { Hands } from './hands.ts'
import { type Place, type Proof, hold, makeMission } from './keyboard-places.ts'
import { queuedWork } from './queues-scene.ts'

/** Two entries that wait in the default queue, which is looked at; with these queues besides. */
async function atQueues({ world, open }: Place, ...names: string[]) {
  const queued = await queuedWork(world, ['One', 'Two'])
  const { id } = queued.project
  for (const name of names) await world.alice.call('createRunQueue', { id, name })
  await open(`/p/${queued.project.slug}/queues`, 'One')
  return queued
}

const ofQueue = async (hands: Hands, name: string, row: string) => {
  await hands.do(`What to do with the queue ${name}`)
  await hands.pick(row)
}

/** What is done on the page of the run queues. */
export const queueProofs: Readonly<Record<string, Proof>> = {
  'features/queues createRunQueue': async (place, hands) => {
    await atQueues(place)
    await hands.do('New queue')
    await hands.seesDialog('New queue')
    await hands.type('Small things')
    await hands.do('Create')
    await hands.sees('Small things is the last queue')
  },
  'features/queues deleteRunQueue': async (place, hands) => {
    await atQueues(place, 'Small things')
    await ofQueue(hands, 'Small things', 'Delete …')
    await hands.seesDialog('Delete Small things')
    await hands.do('Delete the queue')
    await hands.sees('Small things is gone')
  },
  'features/queues orderRunQueueEntries': async (place, hands) => {
    await atQueues(place)
    await hands.do(/^Move down: /)
    await hands.sees('Place 2 of 2 that do not run')
  },
  'features/queues orderRunQueues': async (place, hands) => {
    await atQueues(place, 'Small things', 'Large things')
    await ofQueue(hands, 'Small things', 'Move down')
  },
  'features/queues pauseRunQueue': async (place, hands) => {
    await atQueues(place)
    await hands.do('Pause')
    await hands.sees('Default is paused')
  },
  'features/queues queueObjective': async (place, hands) => {
    await atQueues(place, 'Small things')
    await hands.do(/^What to do with [^ ]+:/)
    await hands.pick('To Small things')
    await hands.sees(/ is the last of Small things$/)
  },
  'features/queues removeRunQueueEntry': async (place, hands) => {
    await atQueues(place)
    await hands.do(/^What to do with [^ ]+:/)
    await hands.pick('Take it out')
    await hands.sees(/ is out of the queue$/)
  },
  'features/queues resumeRunQueue': async (place, hands) => {
    const { queueId } = await atQueues(place)
    await place.world.alice.call('pauseRunQueue', { id: queueId })
    await hands.sees('You have paused it')
    await hands.do('End the pause')
    await hands.sees(/^The pause of Default has ended/)
  },
  'features/queues retryRunQueueEntry': async (place, hands) => {
    const made = await makeMission(place)
    await hold(place, made)
    await place.open(`/p/${made.project.slug}/queues`, 'Its run failed')
    await hands.do('Try again')
    await hands.sees(/ has the next turn$/)
  },
  'features/queues startRunQueue': async (place, hands) => {
    await atQueues(place)
    await hands.do('Start')
    await hands.sees('The first of Default is launched')
  },
  'features/queues updateRunQueue': async (place, hands) => {
    await atQueues(place)
    await ofQueue(hands, 'Default', 'Rename …')
    await hands.seesDialog('Rename Default')
    await hands.press('Control+A')
    await hands.type('Later')
    await hands.do('Rename')
    await hands.sees('Later')
  },
}
