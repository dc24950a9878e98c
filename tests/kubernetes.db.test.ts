import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@svc/domain/testing/hooked-world'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'

const Scaler = z.object({
  spec: z.object({
    triggers: z.tuple([z.object({ metadata: z.looseObject({ query: z.string() }) })]),
  }),
})

const root = join(import.meta.dirname, '..')
const documents = parseAllDocuments(
  readFileSync(join(root, 'infra/kubernetes/keda/dispatcher.yaml'), 'utf8'),
)
const [{ metadata }] = Scaler.parse(documents.at(-1)?.toJS()).spec.triggers

/** The statements that docs/kubernetes.md has an operator run. */
const [, grants = ''] =
  /```sql\n([\s\S]+?)```/.exec(readFileSync(join(root, 'docs/kubernetes.md'), 'utf8')) ?? []

test('dispatchers are scaled by the deliveries that are due, which a role of its own counts', async ({
  hooked,
}) => {
  const { deliverDue, domain, publish, receiver, subscribe, world } = hooked
  const role = `scaler_${world.workspaceId.replaceAll('-', '')}`
  await sql.raw(grants.replaceAll('svc_scaler', role)).execute(domain.db)
  // the clock of the tests, which can be moved
  await sql.raw(`grant select on app.clock to ${role}`).execute(domain.db)
  const counted = () =>
    domain.db.transaction().execute(async (tx) => {
      await sql.raw(`set local role ${role}`).execute(tx)
      const { rows } = await sql.raw<{ count: string }>(metadata.query).execute(tx)
      return Number(rows[0]?.count)
    })
  try {
    expect(await counted()).toBe(0)
    await subscribe()
    receiver.answer(500)
    await publish(3)
    await deliverDue()
    expect(await counted()).toBe(0)
    await world.advance(3_600)
    expect(await counted()).toBe(3)
  } finally {
    await sql.raw(`drop owned by ${role}; drop role ${role}`).execute(domain.db)
  }
})
