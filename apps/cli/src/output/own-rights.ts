import type { Client } from '@svc/client/client'
import { type Permission, rolePermissions } from '@svc/contracts/permissions'
import { isServiceError } from '@svc/contracts/errors'

/** What role and token together allow; undefined where the token may not even ask who it is. */
export async function ownRights(client: Client): Promise<ReadonlySet<Permission> | undefined> {
  try {
    const { role, token } = await client.call('getMe', {})
    const held = rolePermissions[role]
    return new Set(token ? held.filter((one) => token.permissions.includes(one)) : held)
  } catch (error) {
    if (isServiceError(error)) return undefined
    throw error
  }
}
