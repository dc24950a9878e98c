import { invited } from './keyboard-access.ts'
import { type Proof, atMission } from './keyboard-places.ts'
import { atSettings } from './keyboard-project.ts'

/** Where a page calls the same operation in more than one way: those that have no proof by the keyboard of their own. */
export const otherWays: Readonly<Record<string, Proof>> = {
  'features/access createInvitation of a new link': async (place, hands) => {
    const email = await invited(place)
    await hands.do(`New link for ${email}`)
    await hands.do('Make the link')
  },
  'features/inbox updateInboxItem of what is done': async ({ world, open }, hands) => {
    await world.alice.call('createInboxItem', { title: 'To be done' })
    // where what is done stays
    await open('/inbox?state=all', 'To be done')
    await hands.press('j')
    await hands.press('d')
  },
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
  'features/project-settings linkProjectResource of one that is there': async (place, hands) => {
    await atSettings(place, ['web'])
    await hands.do('Change web')
    await hands.seesDialog('Change web')
    await hands.to('Branch that work starts from')
    await hands.type('release')
    await hands.do('Save')
  },
}
