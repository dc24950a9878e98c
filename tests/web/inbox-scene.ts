import type { InboxItem } from '@svc/contracts/inbox-item'
import type { Mission } from '@svc/contracts/mission'
import type { World } from '@svc/domain/testing/open-world'
import { personWith } from '@svc/domain/testing/people'
import { missionToLookAt } from './mission-scene.ts'

/** An inbox as its page is best looked at: of alice, noted by herself and by an agent, one of them turned. */
export interface ShownInbox {
  open: InboxItem
  mission: Mission
}

const shownToAll = new WeakMap<World, Promise<ShownInbox>>()

/** The same for all who only look at it. */
export function inboxToLookAt(world: World): Promise<ShownInbox> {
  const known = shownToAll.get(world) ?? makeInbox(world)
  shownToAll.set(world, known)
  return known
}

async function makeInbox(world: World): Promise<ShownInbox> {
  const withToken = async (label: string) => {
    const { token } = await world.alice.call('createUserToken', { label, preset: 'full' })
    return personWith(world.domain, token)
  }
  const [alice, agent] = [await withToken('laptop'), await withToken('Claude')]
  const { project } = await missionToLookAt(world)
  await agent.tool('svc_create_inbox_item', {
    title: 'Two tests fail on a slow disk',
    text: 'Seen while I worked on the export:\n\n- `export.test.ts` waits **5 s** at most\n- `import.test.ts` too',
  })
  const { inboxItem: turned } = await alice.call('createInboxItem', {
    title: 'Export as CSV',
    text: 'For the people of accounting.',
  })
  const { mission } = await alice.call('turnInboxItem', { id: turned.id, projectId: project.id })
  const { inboxItem: done } = await alice.call('createInboxItem', { title: 'Call the hoster' })
  await alice.call('updateInboxItem', { id: done.id, done: true })
  const { inboxItem: open } = await alice.call('createInboxItem', {
    title: 'Rotate the logs',
    text: 'Before the disk is full.',
  })
  return { open, mission }
}
