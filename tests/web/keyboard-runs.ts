import { type Proof, makeMission } from './keyboard-places.ts'

/** What is done on the pages of runs and runners. */
export const runProofs: Readonly<Record<string, Proof>> = {
  'features/run cancelExecutionRequest': async (place, hands) => {
    const { mission } = await makeMission(place)
    const { lease } = await place.world.attachedRun(mission.objectives[0])
    await place.open(`/runs/${lease.id}`, 'Cancel …')
    await hands.do('Cancel …')
    await hands.seesDialog('Cancel this run')
    await hands.type('The wrong agent')
    await hands.do('Cancel the run')
    await hands.sees('It is called off.')
  },
  'features/run resumeObjective': async (place, hands) => {
    const { project, mission } = await makeMission(place)
    const runner = await place.world.connectedRunner(project)
    const { lease } = await place.world.attachedRun(mission.objectives[0], runner)
    await runner.exited(lease)
    await place.open(`/runs/${lease.id}`, 'Go on where it ended')
    await hands.do('Go on where it ended')
    await hands.sees('It goes on in a run of its own.')
  },
  'features/runners removeRunner': async (place, hands) => {
    const { project } = await makeMission(place)
    // of so many none is open from the start
    for (const label of ['box-1', 'box-2', 'box-3', 'box-4', 'box-5']) {
      await place.world.connectedRunner(project, { label })
    }
    await place.open('/runners', 'box-5')
    await hands.do('box-5')
    await hands.sees('Takes launches of')
    await hands.do('Remove …')
    await hands.seesDialog('Remove box-5')
    await hands.do('Remove the runner')
    await hands.sees('box-5 is removed')
  },
}
