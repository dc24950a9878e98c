import type { RouteName } from '@svc/contracts/rest'
import { openReceiver } from '@svc/testing/receiver'
import { test as base } from '@svc/domain/testing/world'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { readyToCarryOut } from './carry-out.ts'
import { leaves } from './leaves.ts'
import { type Scene, setScene } from './scene.ts'

const test = base.extend('scene', { scope: 'file' }, async ({ world }, { onCleanup }) => {
  const receiver = await openReceiver()
  onCleanup(() => receiver[Symbol.asyncDispose]())
  // the last owner could not leave
  await world.person('owner')
  return setScene(world, receiver, 'owner')
})

test.for(Object.entries(leaves))(
  'who calls %s is recorded in the feed and in the audit trail as its row says',
  async ([name, written], { scene }) => {
    // a key of the table is a route
    const { send, undo } = await readyToCarryOut(scene, name as RouteName)
    const before = await countLeft(scene)
    const response = await send()
    expect([response.ok, await response.text()]).toEqual([true, expect.anything()])
    const after = await countLeft(scene)
    await undo?.()
    const recorded = { feed: after.feed > before.feed, audit: after.audit > before.audit }
    expect(recorded).toEqual({
      feed: written === 'feed' || written === 'both',
      audit: written === 'audit' || written === 'both',
    })
  },
)

async function countLeft({ domain }: Scene): Promise<{ feed: number; audit: number }> {
  const { rows } = await sql<{ feed: number; audit: number }>`
    -- what one person alone sees tells nobody else, and that the trail has grown tells what it has grown by
    select (select count(*)::int from entity_changes
             where user_id is null and entity <> 'audit_entry') as feed,
           (select count(*)::int from audit_trail) as audit`.execute(domain.db)
  return rows[0] ?? { feed: 0, audit: 0 }
}
