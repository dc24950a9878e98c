import { deliverDue } from '@svc/domain/testing/deliver-due'
import { personWith } from '@svc/domain/testing/people'
import { openOutbound } from '@svc/outbound/open-outbound'
import { openReceiver } from '@svc/testing/receiver'
import type { Hands } from './hands.ts'
import type { Place, Proof } from './keyboard-places.ts'

/** Where nobody listens. */
const nowhere = 'http://127.0.0.1:49151/svc'

/** A webhook of a project of its own. */
export async function makeWebhook({ world }: Place, endpointUrl = nowhere) {
  const domain = { ...world.domain, outbound: openOutbound(['*@127.0.0.1']) }
  const alice = personWith(domain, world.alice.token)
  const { project, mission } = await world.missionWith([])
  const { webhook } = await alice.call('createWebhook', {
    name: 'Orders',
    endpointUrl,
    projectId: project.id,
    eventTypes: ['mission.status_changed'],
  })
  /** One event for it, which is handed on. */
  const move = async () => {
    await alice.call('moveMission', { id: mission.id, statusId: 'execute' })
    await deliverDue(domain)
  }
  return { id: webhook.id, project, alice, move }
}

async function atWebhook(place: Place) {
  const made = await makeWebhook(place)
  await place.open(`/webhooks/${made.id}`, 'Delivery log')
  return made
}

async function atNewWebhook({ open }: Place, hands: Hands, url: string) {
  await open('/webhooks', 'New webhook')
  await hands.do('New webhook')
  await hands.seesDialog('New webhook')
  await hands.type('Orders')
  await hands.to('Address')
  await hands.type(url)
}

/** What is done on the pages of webhooks. */
export const webhookProofs: Readonly<Record<string, Proof>> = {
  'features/webhooks checkEndpoint': async (place, hands) => {
    await atNewWebhook(place, hands, 'http://192.168.0.7/svc')
    await hands.sees('The URL must start with https://')
  },
  'features/webhooks createWebhook': async (place, hands) => {
    await atNewWebhook(place, hands, nowhere)
    await hands.to(/^mission\.delivered/)
    await hands.press('Space')
    await hands.do('Create')
    await hands.seesDialog('Its secret, shown this once')
  },
  'features/webhooks deleteWebhook': async (place, hands) => {
    await atWebhook(place)
    await hands.do('Delete')
    await hands.seesDialog('Delete the webhook')
    await hands.do('Delete it')
    await hands.sees('Orders is deleted')
  },
  'features/webhooks disableWebhook': async (place, hands) => {
    await atWebhook(place)
    await hands.do('Disable')
    await hands.seesDialog('Disable the webhook')
    await hands.do('Disable it')
    await hands.sees('Orders is disabled')
  },
  'features/webhooks enableWebhook': async (place, hands) => {
    const { id } = await atWebhook(place)
    await place.world.alice.call('disableWebhook', { id })
    await hands.sees('An admin disabled it.')
    await hands.do('Enable')
    await hands.sees('Orders is enabled')
  },
  'features/webhooks recoverWebhook': async (place, hands) => {
    const { id, alice, move } = await makeWebhook(place)
    await alice.call('disableWebhook', { id })
    await move()
    await alice.call('enableWebhook', { id })
    await place.open(`/webhooks/${id}`, 'Send them')
    await hands.do('Send them')
    await hands.sees('1 delivery goes out')
  },
  'features/webhooks resendWebhookDelivery': async (place, hands) => {
    await using receiver = await openReceiver()
    const { id, move } = await makeWebhook(place, receiver.url)
    await move()
    await place.open(`/webhooks/${id}`, 'Send again')
    await hands.do('Send again: mission.status_changed')
    await hands.sees('mission.status_changed is sent again')
  },
  'features/webhooks rotateWebhookSecret': async (place, hands) => {
    await atWebhook(place)
    await hands.do('Replace the secret')
    await hands.seesDialog('Replace the secret')
    await hands.do('Replace it')
    await hands.seesDialog('Its secret, shown this once')
  },
  'features/webhooks testWebhook': async (place, hands) => {
    await atWebhook(place)
    await hands.do('Send test delivery')
    await hands.sees(/^The test was /)
  },
  'features/webhooks updateWebhook': async (place, hands) => {
    await atWebhook(place)
    await hands.do('Edit')
    await hands.seesDialog('Edit the webhook')
    await hands.press('Control+A')
    await hands.type('Shop orders')
    await hands.do('Save')
    await hands.sees('Saved')
  },
}
