import { type Permission, presetPermissions } from '@svc/contracts/permissions'
import type { ConnectedApplication, TokenAudience, UserToken } from '@svc/contracts/user-token'
import type { UserTokenRow } from '@svc/db/tables'
import type { AuditFacts } from '../audit/record.ts'

export function viewUserToken(row: UserTokenRow, permissions: readonly Permission[]): UserToken {
  return {
    id: row.id,
    label: row.label,
    prefix: row.prefix,
    preset: row.preset,
    scope: row.scope_kind,
    permissions: [...(row.scope_kind === 'full' ? presetPermissions.full : permissions)],
    // written from this vocabulary alone
    audiences: row.audiences as TokenAudience[],
    projectIds: row.project_ids,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    revokedAt: row.revoked_at?.toISOString() ?? null,
  }
}

export function viewConnectedApplication(
  row: UserTokenRow & { scopes: readonly Permission[] },
): ConnectedApplication {
  const { id, label, preset, permissions, ...token } = viewUserToken(row, row.scopes)
  const { createdAt, expiresAt, lastUsedAt } = token
  return { id, label, preset, permissions, createdAt, expiresAt, lastUsedAt }
}

export function mintedAs(token: UserToken): AuditFacts {
  const { id, label, prefix, preset, permissions, audiences, projectIds, expiresAt } = token
  const may = preset === null ? { permissions } : { preset }
  return {
    action: 'token.minted',
    targetId: id,
    details: { label, prefix, ...may, audiences, projectIds, expiresAt },
  }
}
