import { commandOf } from '@svc/contracts/command-step'
import { NextStep } from '@svc/contracts/next-step'
import { expect, test } from 'vitest'
import { migrateSchema } from './migrate-schema.ts'
import { on, useDatabases } from './testing/databases.ts'

const { databaseAt } = useDatabases()

const id = '0190a000-0000-7000-8000-000000000001'
const notices = [
  [
    'question',
    '/api/questions?objectiveId=web:12.k7qd',
    'svc questions list --objective web:12.k7qd',
  ],
  ['run_ended', `/api/execution-requests/${id}`, `svc runs show ${id}`],
  ['webhook.disabled', `/api/webhooks/${id}/deliveries`, `svc webhooks deliveries ${id}`],
  ['other', '/api/me', 'svc notifications list'],
] as const

test('what people were told before it carried a step gets the step of where it points to', async () => {
  const url = await databaseAt('029')
  const rows = notices.map(
    ([kind, link]) => `('${id}', gen_random_uuid(), '${id}', '${kind}', '${link}', 'T', '${link}')`,
  )
  await on(
    url,
    `set session_replication_role = replica;
     insert into notifications (workspace_id, id, user_id, kind, key, title, link)
     values ${rows.join(', ')}`,
  )

  await migrateSchema(url)

  const told = await on<{ link: string; next: unknown }>(
    url,
    'select link, next from notifications',
  )
  const steps = new Map(told.map(({ link, next }) => [link, commandOf(NextStep.parse(next))]))
  expect(steps).toEqual(new Map(notices.map(([, link, command]) => [link, command])))
})
