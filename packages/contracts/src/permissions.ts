import { z } from 'zod'

export const permissions = [
  'workspace:read',
  'workspace:update',
  'member:read',
  'member:invite',
  'member:update',
  'member:remove',
  'audit:read',
  'token:read',
  'token:revoke',
  'own_token:create',
  'own_token:read',
  'own_token:revoke',
  'own_inbox:manage',
  'oauth_grant:approve',
  'project:read',
  'project:create',
  'project:update',
  'project:configure_launch',
  'mission:read',
  'mission:create',
  'mission:update',
  'mission:delete',
  'objective:create',
  'objective:update',
  'objective:delete',
  'execution_request:create',
  'execution_request:claim',
  'execution_request:report',
  'session:attach',
  'session:update',
  'session:deliver',
  'artifact:create',
  'artifact:update',
  'inbox_item:create',
  'runner:remove',
  'webhook:read',
  'webhook:create',
  'webhook:update',
  'webhook:delete',
] as const

export const Permission = z.enum(permissions)
export type Permission = z.infer<typeof Permission>

export const Role = z.enum(['owner', 'admin', 'member', 'viewer'])
export type Role = z.infer<typeof Role>

export const TokenPreset = z.enum([
  'full',
  'mission_lifecycle',
  'runner',
  'read_only',
  'webhook_consumer',
])
export type TokenPreset = z.infer<typeof TokenPreset>

const readOnly: readonly Permission[] = ['workspace:read', 'project:read', 'mission:read']
const agentWork: readonly Permission[] = [
  'session:attach',
  'session:update',
  'session:deliver',
  'artifact:create',
  'artifact:update',
]
const missionWork: readonly Permission[] = [
  'project:create',
  'mission:create',
  'mission:update',
  'mission:delete',
  'objective:create',
  'objective:update',
  'objective:delete',
  'execution_request:create',
  'inbox_item:create',
]
const claimWork: readonly Permission[] = ['execution_request:claim', 'execution_request:report']
const ownThings: readonly Permission[] = [
  'member:read',
  'own_token:create',
  'own_token:read',
  'own_token:revoke',
  'own_inbox:manage',
  'oauth_grant:approve',
]
const viewer = [...readOnly, ...ownThings]
const member: readonly Permission[] = [
  ...viewer,
  ...missionWork,
  ...agentWork,
  ...claimWork,
  'project:update',
  'runner:remove',
]

export const rolePermissions: Record<Role, readonly Permission[]> = {
  owner: permissions,
  admin: permissions,
  member,
  viewer,
}

/** What a token of this preset may do at most; its owner's role bounds it again. */
export const presetPermissions: Record<TokenPreset, readonly Permission[]> = {
  full: permissions,
  mission_lifecycle: [...readOnly, ...missionWork, ...agentWork],
  runner: [...readOnly, ...agentWork, ...claimWork],
  read_only: readOnly,
  webhook_consumer: ['mission:read'],
}
