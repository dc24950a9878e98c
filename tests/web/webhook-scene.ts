import type { Project } from '@svc/contracts/project'
import { deliverDue } from '@svc/domain/testing/deliver-due'
import type { World } from '@svc/domain/testing/open-world'
import { personWith } from '@svc/domain/testing/people'
import { openOutbound } from '@svc/outbound/open-outbound'
import { openReceiver } from '@svc/testing/receiver'

/** Webhooks as their pages are best looked at. */
export interface ShownWebhooks {
  project: Project
  /** It is on, and its log has some of each kind. */
  webhook: string
  /** One of its deliveries that its receiver has not taken yet. */
  delivery: string
  /** Its deliveries are held. */
  disabled: string
}

const shownToAll = new WeakMap<World, Promise<ShownWebhooks>>()

/** The same for all who only look at them. */
export function webhooksToLookAt(world: World): Promise<ShownWebhooks> {
  const known = shownToAll.get(world) ?? makeWebhooks(world)
  shownToAll.set(world, known)
  return known
}

async function makeWebhooks(world: World): Promise<ShownWebhooks> {
  await using receiver = await openReceiver()
  const domain = { ...world.domain, outbound: openOutbound(['*@127.0.0.1']) }
  const alice = personWith(domain, world.alice.token)
  const { project, mission } = await world.missionWith(['Ship the orders'], { title: 'Orders' })
  const subscribe = async (name: string, eventTypes: string[], payloadMode: 'thin' | 'full') => {
    const { webhook } = await alice.call('createWebhook', {
      name,
      endpointUrl: receiver.url,
      projectId: project.id,
      eventTypes,
      payloadMode,
    })
    return webhook
  }
  const { id } = await subscribe(
    'Orders',
    ['mission.status_changed', 'mission.delivered', 'acme:shipped'],
    'full',
  )
  const chat = await subscribe('Team chat', ['mission.status_changed'], 'thin')
  await alice.call('disableWebhook', chat)

  await alice.call('moveMission', { id: mission.id, statusId: 'execute' })
  await deliverDue(domain)
  await alice.call('testWebhook', { id })
  receiver.answer(502)
  await alice.call('moveMission', { id: mission.id, statusId: 'review' })
  await deliverDue(domain)
  const { deliveries } = await alice.call('listWebhookDeliveries', { id, state: 'pending' })

  // its port is another one each time, and nothing is sent to it any more
  await domain.db
    .updateTable('webhook_subscriptions')
    .set({ endpoint_url: 'https://hooks.acme.example/svc' })
    .where('id', 'in', [id, chat.id])
    .execute()
  return { project, webhook: id, disabled: chat.id, delivery: deliveries[0]?.id ?? '' }
}
