import { defineRead } from '../../data/reads.ts'

export const webhooks = defineRead({
  operation: 'listWebhooks',
  touchedBy: ({ entity }) => entity === 'webhook',
})

export const webhook = defineRead({
  operation: 'getWebhook',
  touchedBy: ({ entity, entityId }, { id }) => entity === 'webhook' && entityId === id,
})

/** The feed tells of the webhook, and of no delivery: what follows one is `useFollowLog`. */
export const deliveries = defineRead({
  operation: 'listWebhookDeliveries',
  touchedBy: ({ entity, entityId }, { id }) => entity === 'webhook' && entityId === id,
})

export const delivery = defineRead({
  operation: 'getWebhookDelivery',
  touchedBy: ({ entity, entityId }, { id }) => entity === 'webhook' && entityId === id,
})

export const projects = defineRead({
  operation: 'listProjects',
  touchedBy: ({ entity }) => entity === 'project',
})
