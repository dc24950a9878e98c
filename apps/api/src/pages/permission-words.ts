import type { Permission } from '@svc/contracts/permissions'

interface Description {
  words: string
  /** One of these is enough to say it. */
  of: readonly Permission[]
}

/** What an application may do, as a person would say it. */
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
]

export function inWords(permissions: readonly Permission[]): string[] {
  return descriptions
    .filter(({ of }) => of.some((one) => permissions.includes(one)))
    .map(({ words }) => words)
}

/** A permission that no sentence describes would be given away in silence. */
export function isDescribed(permission: Permission): boolean {
  return descriptions.some(({ of }) => of.includes(permission))
}
