import type { AuditEntry } from '@svc/contracts/audit'
import { expect, test } from 'vitest'
import { doerOf, subjectOf } from './subject.ts'

const entry: AuditEntry = {
  id: 'entry',
  at: '2026-11-26T00:00:00.000Z',
  action: 'token.minted',
  actor: { id: 'ada', name: 'Ada' },
  by: null,
  tokenPrefix: null,
  from: '192.0.2.7',
  projectId: null,
  targetId: 'target',
  details: {},
}
const slugOf = (id: string) => (id === 'project' ? 'web' : undefined)

test.each<[Partial<AuditEntry>, object]>([
  [{ details: { label: 'laptop' } }, { name: 'laptop' }],
  [
    { action: 'mission.deleted', details: { displayId: 'web:12', title: 'Dark' } },
    { displayId: 'web:12', name: 'Dark' },
  ],
  [
    { action: 'webhook.changed', details: { name: 'CI' } },
    { name: 'CI', path: '/webhooks/target' },
  ],
  [{ action: 'webhook.deleted', details: { name: 'CI' } }, { name: 'CI' }],
  [
    { action: 'status.deleted', projectId: 'project', details: { label: 'Ideas' } },
    { name: 'Ideas', path: '/p/web' },
  ],
  [{ action: 'status.deleted', projectId: 'gone', details: { label: 'Ideas' } }, { name: 'Ideas' }],
  [
    { action: 'attachment.deleted', details: { name: 'a.txt', objectiveId: 'o1' } },
    { name: 'a.txt', path: '/o/o1' },
  ],
  [{ action: 'sign_in.started', targetId: 'ada' }, { name: 'Ada' }],
  [{ details: { label: { evil: true } } }, {}],
])('an entry is about %j', (more, subject) => {
  expect(subjectOf({ ...entry, ...more }, slugOf)).toEqual(subject)
})

test('it was done by a person, by the server, or by somebody whom nobody knows', () => {
  expect(doerOf(entry)).toBe('Ada')
  expect(doerOf({ ...entry, actor: null })).toBe('somebody')
  expect(doerOf({ ...entry, actor: null, details: { provider: 'corp' } })).toBe('somebody by corp')
  expect(doerOf({ ...entry, actor: null, from: null })).toBe('the server')
})
