import type { Permission } from './permissions.ts'

interface Description {
  words: string
  /** One of these is enough to say it. */
  of: readonly Permission[]
}

/** What a token or an application may do, as a person would say it. */
const descriptions: readonly Description[] = [
  {
    words: 'read projects, missions, their history and what agents delivered',
    of: ['workspace:read', 'project:read', 'mission:read'],
  },
  {
    words: 'create projects, missions, objectives and notes in your inbox',
    of: ['project:create', 'mission:create', 'objective:create', 'inbox_item:create'],
  },
  { words: 'change missions and objectives', of: ['mission:update', 'objective:update'] },
  {
    words: 'delete missions and objectives, which can be restored for 30 days',
    of: ['mission:delete', 'objective:delete'],
  },
  {
    words: 'launch agents on runners that take your work',
    of: ['execution_request:create'],
  },
  {
    words: 'work on objectives as an agent: report, deliver, keep artifacts',
    of: [
      'session:attach',
      'session:update',
      'session:deliver',
      'artifact:create',
      'artifact:update',
    ],
  },
  {
    words: 'take launches as a runner, and report on their runs',
    of: ['execution_request:claim', 'execution_request:report'],
  },
  { words: 'change projects, their resources and run queues', of: ['project:update'] },
  { words: 'say what runners run before a launch', of: ['project:configure_launch'] },
  { words: 'remove runners', of: ['runner:remove'] },
  {
    words: 'see and manage webhooks',
    of: ['webhook:read', 'webhook:create', 'webhook:update', 'webhook:delete'],
  },
  { words: 'see who is a member', of: ['member:read'] },
  {
    words: 'invite people, change their roles and remove them',
    of: ['member:invite', 'member:update', 'member:remove'],
  },
  { words: 'change the workspace', of: ['workspace:update'] },
  { words: 'delete the workspace', of: ['workspace:delete'] },
  { words: 'read the audit trail', of: ['audit:read'] },
  { words: 'see and revoke everybody’s tokens', of: ['token:read', 'token:revoke'] },
  {
    words: 'make, see and revoke your tokens',
    of: ['own_token:create', 'own_token:read', 'own_token:revoke'],
  },
  { words: 'use your inbox', of: ['own_inbox:manage'] },
  { words: 'let applications in for you', of: ['oauth_grant:approve'] },
]

export function inWords(permissions: readonly Permission[]): string[] {
  return descriptions
    .filter(({ of }) => of.some((one) => permissions.includes(one)))
    .map(({ words }) => words)
}

/** One that no sentence describes would be given away in silence. */
export function isDescribed(permission: Permission): boolean {
  return descriptions.some(({ of }) => of.includes(permission))
}
