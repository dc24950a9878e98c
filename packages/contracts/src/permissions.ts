import { z } from 'zod'

/** Each may do all that those after it may. */
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

export interface PermissionRow {
  /** The first role that has it. */
  readonly role: Role
  /** The presets apart from `full`, which has all permissions. */
  readonly presets?: readonly Exclude<TokenPreset, 'full'>[]
  /** A token that is bound to projects has it also where no project is named. */
  readonly withoutProject?: true
  /** A token that is bound to one objective has it also where none is named, as on its mission. */
  readonly aroundObjective?: true
  /** A token that is bound to one objective does not have it even there: it is an agent's, and not its runner's. */
  readonly neverForObjective?: true
  /** What will ask for it: nothing does yet. */
  readonly planned?: string
}

export const permissionRows = {
  'workspace:read': {
    role: 'viewer',
    presets: ['mission_lifecycle', 'runner', 'read_only'],
    withoutProject: true,
  },
  'workspace:update': { role: 'admin' },
  'workspace:delete': { role: 'owner' },
  'member:read': { role: 'viewer', withoutProject: true },
  'member:invite': { role: 'admin' },
  'member:update': { role: 'admin' },
  'member:remove': { role: 'admin' },
  'audit:read': { role: 'admin', withoutProject: true },
  'token:read': { role: 'admin', withoutProject: true },
  'token:revoke': { role: 'admin' },
  'own_token:create': { role: 'viewer', withoutProject: true, aroundObjective: true },
  'own_token:read': { role: 'viewer', withoutProject: true },
  'own_token:revoke': { role: 'viewer', withoutProject: true },
  'own_inbox:manage': { role: 'viewer', withoutProject: true },
  'oauth_grant:approve': { role: 'viewer' },
  'project:read': {
    role: 'viewer',
    presets: ['mission_lifecycle', 'runner', 'read_only'],
    withoutProject: true,
    aroundObjective: true,
  },
  'project:create': { role: 'member', presets: ['mission_lifecycle'] },
  'project:update': { role: 'member' },
  'project:configure_launch': { role: 'admin' },
  'mission:read': {
    role: 'viewer',
    presets: ['mission_lifecycle', 'runner', 'read_only', 'webhook_consumer'],
    withoutProject: true,
    aroundObjective: true,
  },
  'mission:create': { role: 'member', presets: ['mission_lifecycle'] },
  'mission:update': { role: 'member', presets: ['mission_lifecycle'] },
  'mission:delete': {
    role: 'member',
    presets: ['mission_lifecycle'],
  },
  'objective:create': { role: 'member', presets: ['mission_lifecycle'] },
  'objective:update': { role: 'member', presets: ['mission_lifecycle'] },
  'objective:delete': {
    role: 'member',
    presets: ['mission_lifecycle'],
  },
  'execution_request:create': { role: 'member', presets: ['mission_lifecycle'] },
  'execution_request:claim': {
    role: 'member',
    presets: ['runner'],
    withoutProject: true,
    neverForObjective: true,
  },
  'execution_request:report': {
    role: 'member',
    presets: ['runner'],
    withoutProject: true,
    neverForObjective: true,
  },
  'session:attach': {
    role: 'member',
    presets: ['mission_lifecycle', 'runner'],
    aroundObjective: true,
  },
  'session:update': {
    role: 'member',
    presets: ['mission_lifecycle', 'runner'],
    aroundObjective: true,
  },
  'session:deliver': { role: 'member', presets: ['mission_lifecycle', 'runner'] },
  'artifact:create': { role: 'member', presets: ['mission_lifecycle', 'runner'] },
  'artifact:update': { role: 'member', presets: ['mission_lifecycle', 'runner'] },
  'inbox_item:create': { role: 'member', presets: ['mission_lifecycle'] },
  'runner:remove': { role: 'member' },
  'webhook:read': { role: 'admin', withoutProject: true },
  'webhook:create': { role: 'admin' },
  'webhook:update': { role: 'admin' },
  'webhook:delete': { role: 'admin' },
} as const satisfies Record<string, PermissionRow>

export type Permission = keyof typeof permissionRows

// The keys of an object literal are its key type; Object.keys only says string.
export const permissions = Object.keys(permissionRows) as Permission[]
export const Permission = z.enum(permissions)

export const rolePermissions: Readonly<Record<Role, readonly Permission[]>> = {
  owner: ofRole('owner'),
  admin: ofRole('admin'),
  member: ofRole('member'),
  viewer: ofRole('viewer'),
}

/** What a token of this preset may do at most; its owner's role bounds it again. */
export const presetPermissions: Readonly<Record<TokenPreset, readonly Permission[]>> = {
  full: permissions,
  mission_lifecycle: ofPreset('mission_lifecycle'),
  runner: ofPreset('runner'),
  read_only: ofPreset('read_only'),
  webhook_consumer: ofPreset('webhook_consumer'),
}

function ofRole(role: Role): Permission[] {
  const held = Role.options.slice(Role.options.indexOf(role))
  return permissions.filter((name) => held.includes(permissionRows[name].role))
}

function ofPreset(preset: Exclude<TokenPreset, 'full'>): Permission[] {
  return permissions.filter((name) => permissionRow(name).presets?.includes(preset))
}

export function permissionRow(name: Permission): PermissionRow {
  return permissionRows[name]
}
