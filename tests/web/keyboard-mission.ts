import { atMission, hold, type Proof } from './keyboard-places.ts'

/** What is done on the page of a mission. */
export const missionProofs: Readonly<Record<string, Proof>> = {
  'features/mission addAttachment': async (place, hands) => {
    await atMission(place, hands)
    await hands.do('Attach files')
    await hands.sees('note.txt is attached')
  },
  'features/mission addObjectives': async (place, hands) => {
    await atMission(place, hands)
    await hands.do(/Objective/)
    await hands.type('Three')
    await hands.do('Add')
    await hands.sees('Three')
  },
  'features/mission cancelObjective': async (place, hands) => {
    await atMission(place, hands, ({ mission }) => place.world.attachedRun(mission.objectives[0]))
    await hands.do('Cancel …')
    await hands.seesDialog(/^Call /)
    await hands.do('Call it off')
    await hands.sees('It is called off.')
  },
  'features/mission createArtifact': async (place, hands) => {
    await atMission(place, hands)
    await hands.do(/^Artifacts /)
    await hands.do('Artifact')
    await hands.seesDialog('New artifact')
    await hands.type('Plan')
    await hands.to('Text')
    await hands.type('Draw, then ship.')
    await hands.do('Keep it')
    await hands.sees('Kept')
  },
  'features/mission deleteAttachment': async (place, hands) => {
    await atMission(place, hands, ({ mission }) =>
      place.world.alice.call('addAttachment', {
        id: mission.objectives[0].id,
        name: 'sketch.png',
        bytes: Buffer.from('a picture'),
      }),
    )
    await hands.do('Remove sketch.png')
    await hands.seesDialog('Remove sketch.png')
    await hands.do('Remove it')
  },
  'features/mission deleteMissions': async (place, hands) => {
    await atMission(place, hands)
    await hands.do('More of this mission')
    await hands.pick('Delete …')
    await hands.seesDialog(/^Delete /)
    await hands.sees('It can be restored for')
    await hands.do('Delete')
    await hands.sees('There is no mission yet')
  },
  'features/mission deleteObjectives': async (place, hands) => {
    await atMission(place, hands)
    await hands.do('Delete …')
    await hands.seesDialog(/^Delete /)
    await hands.sees('It can be restored for')
    await hands.do('Delete')
    await hands.sees('can be restored until')
  },
  'features/mission moveMission': async (place, hands) => {
    await atMission(place, hands)
    await hands.do(/^Status .*: move the mission$/)
    await hands.pick(/In review/)
    await hands.sees('Moved to In review')
  },
  'features/mission queueObjective': async (place, hands) => {
    await atMission(place, hands, ({ mission: { objectives } }) =>
      place.world.alice.call('updateObjective', {
        id: objectives[0].id,
        assigned_agent: 'scripted',
      }),
    )
    await hands.do('Queue …')
    await hands.seesDialog(/^Queue /)
    await hands.sees('Place')
    await hands.do('Queue it')
    await hands.sees(/^It is in the queue /)
  },
  'features/mission removeRunQueueEntry': async (place, hands) => {
    await atMission(place, hands, async ({ mission: { objectives } }) => {
      const [{ id }] = objectives
      await place.world.alice.call('updateObjective', { id, assigned_agent: 'scripted' })
      await place.world.alice.call('queueObjective', { objectiveId: id })
    })
    await hands.do('In a queue …')
    await hands.seesDialog(/^Queue /)
    await hands.do('Take it out')
    await hands.sees('It is taken out')
  },
  'features/mission reorderFutureObjectives': async (place, hands) => {
    await atMission(place, hands)
    await hands.do('Move down: One')
    await hands.sees('Place 2 of 2 that have not started')
  },
  'features/mission restoreObjective': async (place, hands) => {
    await atMission(place, hands, ({ mission: { objectives } }) =>
      place.world.alice.call('deleteObjectives', {
        objectiveIds: [objectives[1].id],
        confirm: true,
      }),
    )
    await hands.do('Deleted objectives')
    await hands.do('Restore')
    await hands.sees(/ is back$/)
  },
  'features/mission resumeObjective': async (place, hands) => {
    await atMission(place, hands, async ({ project, mission: { objectives } }) => {
      const runner = await place.world.connectedRunner(project)
      const { lease } = await place.world.attachedRun(objectives[0], runner)
      await runner.exited(lease)
    })
    await hands.do('Go on where it ended')
    await hands.sees('queued')
  },
  'features/mission retryRunQueueEntry': async (place, hands) => {
    await atMission(place, hands, (made) => hold(place, made))
    await hands.do('In a queue …')
    await hands.seesDialog(/^Queue /)
    await hands.do('Try it again')
  },
  'features/mission sendBackObjective': async (place, hands) => {
    await atMission(place, hands, ({ mission: { objectives } }) =>
      place.world.alice.call('submitObjective', { id: objectives[0].id }),
    )
    await hands.do('Send back to draft')
    await hands.sees('Submit')
  },
  'features/mission setSharedState': async (place, hands) => {
    await atMission(place, hands)
    await hands.do('Shared state')
    await hands.do('Key')
    await hands.seesDialog('New key')
    await hands.type('theme.names')
    await hands.to('Value')
    await hands.type('1')
    await hands.do('Keep it')
    await hands.sees('Kept')
  },
  'features/mission submitObjective': async (place, hands) => {
    await atMission(place, hands)
    await hands.do('Submit')
    await hands.sees('Send back to draft')
  },
  'features/mission updateArtifact': async (place, hands) => {
    await atMission(place, hands, ({ mission: { id } }) =>
      place.world.alice.call('createArtifact', {
        id,
        type: 'note',
        label: 'Plan',
        contentText: 'a',
      }),
    )
    await hands.do('Artifacts 1')
    await hands.do('Edit Plan')
    await hands.seesDialog('Edit the artifact')
    await hands.press('Control+A')
    await hands.type('Drawing')
    await hands.do('Keep it')
    await hands.sees('Kept')
  },
  'features/mission updateMission': async (place, hands) => {
    await atMission(place, hands)
    await hands.do('Edit the title')
    await hands.type('Bright icons')
    await hands.do('Save')
    await hands.sees('Edit the title')
  },
  'features/mission updateObjective': async (place, hands) => {
    await atMission(place, hands)
    await hands.do('Edit')
    await hands.type('Write ')
    await hands.do('Done')
    await hands.sees('Write One')
  },
}
