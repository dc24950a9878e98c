import { deletionRaces } from './deletions.ts'
import { notificationRaces } from './notifications.ts'
import { questionRaces } from './questions.ts'
import { queueRaces } from './queues.ts'
import { runRaces } from './runs.ts'

/** The races, by the sentence that a client could say of each. */
export const races = {
  ...runRaces,
  ...queueRaces,
  ...questionRaces,
  ...deletionRaces,
  ...notificationRaces,
}

export type RaceName = keyof typeof races
// the keys of an object literal are its key type
export const raceNames = Object.keys(races) as RaceName[]
