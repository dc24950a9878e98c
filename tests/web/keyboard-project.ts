import { atBoard, openColumns, type Place, type Proof } from './keyboard-places.ts'

async function atColumns({ world, open }: Place) {
  const { slug } = await world.projectWith()
  await open(`/p/${slug}/settings`, 'New column')
}

export async function atSettings({ world, open }: Place, resources: readonly string[] = []) {
  const project = await world.projectWith(resources.map((resourceKey) => ({ resourceKey })))
  await open(`/p/${project.slug}/settings`, 'Add a resource')
}

/** What is done on the page of a project, and to its columns there as on its board. */
export const projectProofs: Readonly<Record<string, Proof>> = {
  'features/project-settings linkProjectResource': async (place, hands) => {
    await atSettings(place)
    await hands.press('r')
    await hands.seesDialog('Add a resource')
    await hands.type('web')
    await hands.do('Add it')
    await hands.seesDialog('Link a checkout of web')
    await hands.sees('Waiting for a runner that has it.')
    await hands.do('Close')
  },
  'features/project-settings unlinkProjectResource': async (place, hands) => {
    await atSettings(place, ['web'])
    await hands.do('Remove web')
    await hands.seesDialog('Remove web')
    await hands.do('Remove the resource')
    await hands.sees('There is no resource yet')
  },
  'features/project-settings updateLaunchSettings': async (place, hands) => {
    await atSettings(place)
    await hands.sees('Started as')
    await hands.press('l')
    await hands.to('Commands that agents may run')
    await hands.type('npm test')
    await hands.do('Add a check')
    await hands.type('test')
    await hands.to('Command')
    await hands.type('npm test')
    await hands.press('Control+Enter')
    await hands.sees('Saved')
  },
  'features/project-settings updateProject': async (place, hands) => {
    await atSettings(place)
    await hands.press('e')
    await hands.press('Control+A')
    await hands.type('Web shop')
    await hands.do(/^Save/)
    await hands.sees('Saved')
  },
  'parts/statuses createProjectStatus': async (place, hands) => {
    await atColumns(place)
    await hands.press('c')
    await hands.type('Ideas')
    await hands.do('Add the column')
    await hands.sees('Ideas is the last column')
  },
  'parts/statuses deleteProjectStatus': async (place, hands) => {
    const { project } = await atBoard(place, hands)
    const { id } = project
    await place.world.alice.call('createProjectStatus', { id, label: 'Ideas', type: 'draft' })
    await openColumns(hands)
    await hands.do('Delete Ideas')
    await hands.do('Delete the column')
    await hands.sees('Ideas is gone')
  },
  'parts/statuses orderProjectStatuses': async (place, hands) => {
    await atColumns(place)
    await hands.to('Rename Backlog')
    await hands.press('Alt+ArrowDown')
    await hands.sees('Place 2 of 6')
  },
  'parts/statuses renameProjectStatus': async (place, hands) => {
    await atBoard(place, hands)
    await openColumns(hands)
    await hands.do('Rename Backlog')
    await hands.press('Control+A')
    await hands.type('Later')
    await hands.do('Rename')
    await hands.sees('Rename Later')
  },
}
