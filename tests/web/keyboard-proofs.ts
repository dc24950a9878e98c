import { accessProofs } from './keyboard-access.ts'
import { inboxProofs } from './keyboard-inbox.ts'
import { missionProofs } from './keyboard-mission.ts'
import { projectProofs } from './keyboard-project.ts'
import {
  atBoard,
  atBusyLaunch,
  atMission,
  atNeeds,
  atReview,
  hold,
  makeMission,
  type Proof,
} from './keyboard-places.ts'
import { queueProofs } from './keyboard-queues.ts'
import { runProofs } from './keyboard-runs.ts'
import { makeWebhook, webhookProofs } from './keyboard-webhooks.ts'
import { usageProofs } from './keyboard-usage.ts'

/** By the folder of the app and the operation. */
export const proofs: Readonly<Record<string, Proof>> = {
  ...missionProofs,
  ...accessProofs,
  ...projectProofs,
  ...inboxProofs,
  ...queueProofs,
  ...runProofs,
  ...webhookProofs,
  ...usageProofs,
  'features/board createMission': async (place, hands) => {
    await atBoard(place, hands)
    await hands.do('New mission')
    await hands.seesDialog('New mission')
    await hands.type('Dark menu')
    await hands.do('Create')
    await hands.sees('Dark menu')
  },
  'features/board deleteMissions': async (place, hands) => {
    await atBoard(place, hands)
    await hands.press('Delete')
    await hands.seesDialog(/^Delete /)
    await hands.sees('It can be restored for')
    await hands.do('Delete')
    await hands.sees('can be restored until')
  },
  'features/board moveMission': async (place, hands) => {
    await atBoard(place, hands)
    await hands.do(/^What to do with /)
    await hands.pick('Move to …')
    await hands.seesDialog(/^Move /)
    await hands.sees('In review')
    await hands.do(/In review/)
    await hands.sees(/ moved to In review/)
  },
  'features/board updateMission': async (place, hands) => {
    await atBoard(place, hands)
    await hands.do(/^What to do with /)
    await hands.pick('Title and priority …')
    await hands.seesDialog(/^Title and priority /)
    await hands.press('Control+A')
    await hands.type('Bright icons')
    await hands.do('Save')
    await hands.sees('Bright icons')
  },
  'features/needs enableWebhook': async (place, hands) => {
    const { id, project, alice } = await makeWebhook(place)
    await alice.call('disableWebhook', { id })
    await atNeeds(place, project, 'An admin disabled it.')
    await hands.do('Enable it')
    await hands.sees('Nothing needs you.')
  },
  'features/needs resumeObjective': async (place, hands) => {
    const { project, mission } = await makeMission(place)
    const runner = await place.world.connectedRunner(project)
    const { lease } = await place.world.attachedRun(mission.objectives[0], runner)
    await runner.exited(lease)
    await atNeeds(place, project, 'Go on with it')
    await hands.do('Go on with it')
    await hands.sees('Nothing needs you.')
  },
  'features/needs resumeRunQueue': async (place, hands) => {
    const made = await makeMission(place)
    await hold(place, made)
    await atNeeds(place, made.project, 'Let it go on')
    await hands.do('Let it go on')
    await hands.sees(/ goes on$/)
  },
  'features/needs retryRunQueueEntry': async (place, hands) => {
    const made = await makeMission(place)
    await hold(place, made)
    await atNeeds(place, made.project, 'Try it again')
    await hands.do('Try it again')
    await hands.sees(/ is tried again$/)
  },
  'features/needs sendBackObjective': async (place, hands) => {
    const { project, mission } = await makeMission(place)
    const runner = await place.world.connectedRunner(project)
    const { agent, lease } = await place.world.attachedRun(mission.objectives[0], runner)
    await agent.deliver()
    await runner.exited(lease)
    await atNeeds(place, project, 'Send back')
    await hands.do('Send back')
    await hands.sees(/ is a draft again$/)
  },
  'features/review acceptMission': async (place, hands) => {
    await atReview(place)
    await hands.do(/^Accept/)
    await hands.seesDialog(/^Accept /)
    await hands.do('Accept')
    await hands.sees(/ is accepted$/)
  },
  'features/review askForChanges': async (place, hands) => {
    await atReview(place)
    await hands.do(/^Ask for changes/)
    await hands.seesDialog('Ask for changes')
    await hands.type('Bound it.')
    await hands.do('Add objective')
    await hands.sees(/ is added$/)
  },
  'features/review launchObjective': async (place, hands) => {
    await atReview(place)
    await hands.do(/^Ask for changes/)
    await hands.seesDialog('Ask for changes')
    await hands.type('Bound it.')
    await hands.to(/^Launch it at once/)
    await hands.press('Space')
    await hands.do('Add and launch')
    await hands.sees(/ is queued$/)
  },
  'parts/delete restoreMission': async (place, hands) => {
    const { project, mission } = await place.world.missionWith([], { title: 'Dark icons' })
    await place.world.alice.call('deleteMissions', { missionIds: [mission.id], confirm: true })
    await place.open(`/p/${project.slug}`, 'There is no mission yet')
    await hands.do('More of this board')
    await hands.pick('Deleted missions …')
    await hands.seesDialog('Deleted missions')
    await hands.do(/^Restore /)
    await hands.sees(/ is back in /)
  },
  ...usageProofs,
  'parts/first-run createMission': async (place, hands) => {
    const { project } = await place.world.alice.call('createProject', { name: 'A', slug: 'a' })
    await place.world.alice.call('linkProjectResource', { id: project.id, resourceKey: 'a' })
    const resources = [{ projectId: project.id, resourceKey: 'a' }]
    await place.world.connectedRunner(project, { resources })
    await place.open('', 'Write it')
    await hands.to('What the mission is about')
    await hands.type('First words')
    await hands.to('What its first objective is to do')
    await hands.type('Write a greeting.')
    await hands.do('Write it')
    await hands.sees('Launch it')
  },
  'parts/launch launchObjective': async (place, hands) => {
    await atMission(place, hands, ({ project }) => place.world.connectedRunner(project))
    await hands.do(/^Launch …/)
    await hands.seesDialog(/^Launch /)
    await hands.sees('Who can take it')
    await hands.type('scripted')
    await hands.do(/^Launch/)
    await hands.sees(/\.\w{4} is queued$/)
  },
  'parts/launch queueObjective': async (place, hands) => {
    await atBusyLaunch(place, hands)
    await hands.do('Queue it')
    await hands.sees(/^It is in the queue /)
  },
  'parts/launch updateMission': async (place, hands) => {
    await atBusyLaunch(place, hands)
    await hands.do('Let them run together')
    await hands.sees(/\.\w{4} is queued$/)
  },
  'parts/project createProject': async (place, hands) => {
    await place.open('/projects', 'New project')
    await hands.do('New project')
    await hands.seesDialog('New project')
    await hands.type('By hand')
    await hands.do('Create')
    await hands.sees('By hand is made')
  },
  'parts/question answerQuestion': async (place, hands) => {
    const { project, mission } = await makeMission(place)
    const { agent } = await place.world.attachedRun(mission.objectives[0])
    await agent.ask({ question: 'Keep it?', options: [{ id: 'keep', label: 'Keep it' }] })
    await atNeeds(place, project, 'Keep it?')
    await hands.do(/Keep it$/)
    await hands.sees('Nothing needs you.')
  },
  'shell endSignIn': async (place, hands) => {
    await place.open('/projects', 'Projects')
    await hands.do('You, alice')
    await hands.pick('Sign out')
    await hands.seesDialog('Sign out')
    await hands.do(/sign out$/i)
    await hands.sees('Password')
  },
}
