import type { WebhookSubscription } from '@svc/contracts/webhook-subscription'
import { describe, expect, test } from 'vitest'
import {
  addTyped,
  changesOf,
  describeForm,
  formOf,
  readForm,
  withEvent,
  writeForm,
} from './form.ts'

const webhook: WebhookSubscription = {
  id: '5b1c1a55-0000-4000-8000-000000000001',
  name: 'Orders',
  endpointUrl: 'https://hooks.example.com/svc',
  eventTypes: ['mission.delivered', 'acme:thing'],
  projectId: null,
  payloadMode: 'thin',
  disabledAt: null,
  disabledReason: null,
  consecutiveFailures: 0,
  createdBy: '5b1c1a55-0000-4000-8000-000000000002',
  revision: 3,
  createdAt: '2026-11-01T00:00:00.000Z',
  updatedAt: '2026-11-01T00:00:00.000Z',
}
const form = formOf(webhook)

describe('what is written of a webhook', () => {
  test('is a text and back again the same', () => {
    const written = { ...form, typed: 'acme:' }
    expect(readForm(writeForm(written))).toEqual(written)
    expect(writeForm(readForm(writeForm(written)))).toBe(writeForm(written))
  })

  test.each(['', 'no form', 'null', '[]', '{"eventTypes":[1],"payloadMode":"huge","name":2}'])(
    'is empty where the draft is none: %j',
    (text) => {
      expect(readForm(text)).toEqual(readForm(''))
    },
  )

  test('changes what is other than before, and nothing else', () => {
    expect(changesOf(webhook, form)).toEqual({})
    expect(changesOf(webhook, { ...form, name: ' Orders ', typed: 'acme:x' })).toEqual({})
    const other = withEvent(withEvent(form, 'acme:thing', false), 'acme:thing', true)
    expect(changesOf(webhook, other)).toEqual({})
    const changed = { ...withEvent(form, 'acme:thing', false), payloadMode: 'full' as const }
    expect(changesOf(webhook, { ...changed, projectId: 'web' })).toEqual({
      eventTypes: ['mission.delivered'],
      payloadMode: 'full',
      projectId: 'web',
    })
  })

  test('is compared as people read it', () => {
    const text = describeForm({ ...form, projectId: 'p1' }, (id) => `project ${id}`)
    expect(text).toContain('Project: project p1\n')
    expect(text).toContain('Events: mission.delivered, acme:thing')
  })
})

describe('an event that is written by hand', () => {
  test.each([' acme:other ', 'webhook.ping', 'a:b'])('is added: %j', (typed) => {
    const added = addTyped({ ...form, typed })
    expect(added.problem).toBeUndefined()
    expect(added.form.eventTypes).toEqual([...form.eventTypes, typed.trim()])
    expect(added.form.typed).toBe('')
  })

  test('is there once, however often it is added', () => {
    expect(addTyped({ ...form, typed: 'acme:thing' }).form.eventTypes).toHaveLength(2)
    expect(addTyped(form).form).toBe(form)
  })

  test.each(['acme', 'Acme:Thing', 'acme:', 'a:b:c', 'two words:x', `a:${'x'.repeat(99)}`])(
    'is refused with how it is written, and stays: %s',
    (typed) => {
      const added = addTyped({ ...form, typed })
      expect(added.problem).toMatch(/namespace:name/)
      expect(added.form.typed).toBe(typed)
    },
  )
})
