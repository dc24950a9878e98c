import { randomBytes } from 'node:crypto'
import type { KeyRing } from '../common/key-ring.ts'

interface Owner {
  workspace_id: string
  id: string
}

export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64url')}`
}

export function sealSecret(keys: KeyRing, owner: Owner, secret: string): Buffer {
  return keys.seal('stored-secrets', contextOf(owner), secret)
}

/** Throws when it was sealed for another row, or under a key that the ring has no more. */
export function openSecret(keys: KeyRing, owner: Owner, sealed: Buffer): string {
  return keys.open('stored-secrets', contextOf(owner), sealed).toString()
}

/** What a secret is sealed with: it keeps the first name of the table, or no stored secret could be opened any more. */
function contextOf({ workspace_id, id }: Owner): string {
  return `webhook_subscription ${workspace_id} ${id}`
}
