import type { pingEventType } from '@svc/contracts/events'
import type { PayloadMode, WebhookSubscription } from '@svc/contracts/webhook-subscription'
import { extensionTypePattern, eventTypes, payloadModes } from '../../data/contracts.values.ts'

/** What is being written of a webhook; as a text it is the draft. */
export interface WebhookForm {
  name: string
  endpointUrl: string
  eventTypes: readonly string[]
  /** An event that is being written, and not added yet. */
  typed: string
  /** null: those of all projects. */
  projectId: string | null
  /** null: nobody has chosen one. */
  payloadMode: PayloadMode | null
  /** What was shown in its place when the form was sent: it is sent again as it was. */
  proposed: { url: string; mode: PayloadMode } | null
}

const empty: WebhookForm = {
  name: '',
  endpointUrl: '',
  eventTypes: [],
  typed: '',
  projectId: null,
  payloadMode: null,
  proposed: null,
}

/** The test delivery, which a person asks for and nothing else makes. */
export const pingType: typeof pingEventType = 'webhook.ping'

export function formOf(webhook: WebhookSubscription): WebhookForm {
  const { name, endpointUrl, eventTypes: chosen, projectId, payloadMode } = webhook
  return { ...empty, name, endpointUrl, eventTypes: chosen, projectId, payloadMode }
}

/** The same form is always the same text. */
export function writeForm(form: WebhookForm): string {
  const { name, endpointUrl, eventTypes: chosen, typed, projectId, payloadMode, proposed } = form
  return JSON.stringify({
    name,
    endpointUrl,
    eventTypes: chosen,
    typed,
    projectId,
    payloadMode,
    proposed,
  })
}

/** What is no form, as a draft of another version may be, is an empty one. */
export function readForm(text: string): WebhookForm {
  const given = parse(text)
  const { eventTypes: chosen, projectId, payloadMode } = given
  return {
    name: textOf(given['name']),
    endpointUrl: textOf(given['endpointUrl']),
    eventTypes: Array.isArray(chosen) ? chosen.filter((type) => typeof type === 'string') : [],
    typed: textOf(given['typed']),
    projectId: typeof projectId === 'string' ? projectId : null,
    payloadMode: modeOf(payloadMode),
    proposed: proposalOf(given['proposed']),
  }
}

function modeOf(value: unknown): PayloadMode | null {
  return payloadModes.find((mode) => mode === value) ?? null
}

function proposalOf(value: unknown): WebhookForm['proposed'] {
  if (typeof value !== 'object' || value === null) return null
  if (!('url' in value) || !('mode' in value)) return null
  const mode = modeOf(value.mode)
  return mode && { url: textOf(value.url), mode }
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const given: unknown = JSON.parse(text)
    // an object has its values by their names
    return typeof given === 'object' && given !== null ? (given as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Those that are offered are the service's own: of others' nothing is suggested. */
export function isOffered(type: string): boolean {
  return eventTypes.some((offered) => offered === type)
}

const extensionType = new RegExp(extensionTypePattern)

/** With the event that was written by hand; or why it is none. */
export function addTyped(form: WebhookForm): { form: WebhookForm; problem?: string } {
  const type = form.typed.trim()
  if (type === '') return { form }
  if (!isOffered(type) && (!extensionType.test(type) || type.length > 100)) {
    return {
      form,
      problem: 'Write it as namespace:name, each of small letters, digits, _ . and -.',
    }
  }
  const without = form.eventTypes.filter((known) => known !== type)
  return { form: { ...form, typed: '', eventTypes: [...without, type] } }
}

export function withEvent(form: WebhookForm, type: string, isWanted: boolean): WebhookForm {
  const without = form.eventTypes.filter((known) => known !== type)
  return { ...form, eventTypes: isWanted ? [...without, type] : without }
}

type Changes = Partial<
  Pick<WebhookSubscription, 'name' | 'endpointUrl' | 'eventTypes' | 'projectId' | 'payloadMode'>
>

/** What of it is other than it is kept. */
export function changesOf(webhook: WebhookSubscription, form: WebhookForm): Changes {
  const { payloadMode, projectId } = form
  const [name, endpointUrl] = [form.name.trim(), form.endpointUrl.trim()]
  const isSame = webhook.eventTypes.toSorted().join(' ') === form.eventTypes.toSorted().join(' ')
  return {
    ...(name !== webhook.name && { name }),
    ...(endpointUrl !== webhook.endpointUrl && { endpointUrl }),
    ...(!isSame && { eventTypes: [...form.eventTypes] }),
    ...(projectId !== webhook.projectId && { projectId }),
    ...(payloadMode !== null && payloadMode !== webhook.payloadMode && { payloadMode }),
  }
}

/** As a text that people compare. */
export function describeForm(form: WebhookForm, projectName: (id: string) => string): string {
  return [
    `Name: ${form.name}`,
    `Address: ${form.endpointUrl}`,
    `Events: ${form.eventTypes.join(', ')}`,
    `Project: ${form.projectId === null ? 'all' : projectName(form.projectId)}`,
    `Payload: ${form.payloadMode ?? ''}`,
  ].join('\n')
}
