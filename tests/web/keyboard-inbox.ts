import type { Hands } from './hands.ts'
import type { Place, Proof } from './keyboard-places.ts'

/** With the focus on an item of that title. */
async function atItem({ world, open }: Place, hands: Hands, title: string) {
  await world.alice.call('createInboxItem', { title, text: 'Before the disk is full.' })
  await open('/inbox', title)
  await hands.press('j')
}

/** What is done with an inbox, and where missions are found. */
export const inboxProofs: Readonly<Record<string, Proof>> = {
  'features/inbox deleteInboxItem': async (place, hands) => {
    await atItem(place, hands, 'To be deleted')
    await hands.press('Delete')
    await hands.seesDialog('Delete the item')
    await hands.do('Delete it')
    await hands.sees('The item is deleted')
  },
  'features/inbox turnInboxItem': async (place, hands) => {
    const { project } = await place.world.missionWith([])
    await atItem(place, hands, 'To be turned')
    await hands.press('t')
    await hands.seesDialog('Turn into a mission')
    // the projects are read once the dialog is there
    await hands.sees(project.name)
    await hands.press('ArrowDown')
    await hands.to('Title')
    await hands.press('Control+Enter')
    await hands.sees(/^It became /)
  },
  'features/inbox updateInboxItem': async (place, hands) => {
    await atItem(place, hands, 'To be edited')
    await hands.press('e')
    await hands.seesDialog('Edit the item')
    await hands.press('Control+A')
    await hands.type('Edited by hand')
    await hands.press('Control+Enter')
    await hands.sees('Saved')
    await hands.press('d')
    await hands.sees('Done with it')
  },
  'features/search deleteMissions': async (place, hands) => {
    const { mission } = await place.world.missionWith([], { title: 'To be deleted' })
    await place.open(`/search?do=delete&missions=${mission.id}`, 'It can be restored for')
    await hands.do('Delete')
    await hands.sees('can be restored until')
  },
  'parts/capture createInboxItem': async (place, hands) => {
    await place.open('/projects', 'New project')
    await hands.press('i')
    await hands.seesDialog('To your inbox')
    await hands.type('By hand')
    await hands.press('Control+Enter')
    await hands.sees('Noted down in your inbox')
  },
}
