import { type Proof, atMission } from './keyboard-places.ts'

/** Where a page calls the same operation in more than one way: those that have no proof by the keyboard of their own. */
export const otherWays: Readonly<Record<string, Proof>> = {
  'features/mission updateMission of its budget': async (place, hands) => {
    await atMission(place, hands)
    await hands.do('More of this mission')
    await hands.pick('Budget and settings …')
    await hands.seesDialog('Budget and settings')
    await hands.type('7.25')
    await hands.do('Save')
  },
  'features/mission updateMission of its priority': async (place, hands) => {
    await atMission(place, hands)
    await hands.do('Priority normal')
    await hands.pick('high')
  },
  'features/mission updateObjective of its model': async (place, hands) => {
    await atMission(place, hands)
    await hands.to('Model')
    await hands.type('opus')
    await hands.press('Enter')
  },
}
