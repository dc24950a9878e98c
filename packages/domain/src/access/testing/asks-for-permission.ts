import { type Permission, permissions, rolePermissions } from '@svc/contracts/permissions'
import { furnish } from '../../testing/furnished.ts'
import { inputOf } from '../../testing/least-input.ts'
import { test } from '../../testing/hooked-world.ts'
import { type Operation, outcomeOf } from '../../testing/operations.ts'
import type { Person } from '../../testing/people.ts'
import { describe, expect } from 'vitest'

/** What a call asks for in addition, by what it is about. */
const asksToo: Record<string, readonly Permission[]> = {
  // what it gives to somebody else, its token has itself
  'POST /api/invitations': rolePermissions.member,
  // what others hold is shown to those who may remove them
  'GET /api/members/:id/access': ['member:remove'],
}

/** That these operations ask for the permission in their row, and for nothing else. */
export function asksForPermission(asked: readonly Operation[]) {
  describe('the permission in the row of an operation', () => {
    test('is what it asks for: whoever has every other one is refused for the lack of it', async ({
      hooked,
    }) => {
      const { alice } = hooked
      const { names, lease } = await furnish(hooked, alice)
      for (const operation of asked) {
        if (operation.permission === 'any') continue
        const others = permissions.filter((one) => one !== operation.permission)
        const caller = await alice.withToken({ permissions: others })
        const { refusal } = await outcomeOf(
          operation.call(caller, inputOf(operation, names, lease)),
        )
        expect([operation.name, refusal]).toEqual([
          operation.name,
          expect.objectContaining({
            code: 'forbidden',
            details: { permission: operation.permission },
          }),
        ])
      }
    })

    test('is all that it asks for', async ({ hooked }) => {
      const { alice } = hooked
      let scene = await furnish(hooked, alice)
      for (const operation of asked) {
        if (operation.permission === 'any' || operation.fullScope) continue
        const more = asksToo[operation.name] ?? []
        const caller = await alice.withToken({ permissions: [operation.permission, ...more] })
        const ask = async (person: Person) =>
          (await outcomeOf(operation.call(person, inputOf(operation, scene.names, scene.lease))))
            .refusal?.code
        let refused = await ask(caller)
        if (refused === 'not_found') {
          // an earlier operation may have deleted what this one names
          scene = await furnish(hooked, alice)
          refused = await ask(caller)
        }
        // what is not there for whoever may do everything is not there
        if (refused === 'not_found')
          refused = (await ask(alice)) === 'not_found' ? undefined : refused
        expect([operation.name, refused]).not.toEqual([
          operation.name,
          expect.stringMatching(/^(?:forbidden|not_found)$/),
        ])
      }
    })
  })
}
