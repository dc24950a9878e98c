import type { Permission, Role, TokenPreset } from '@svc/contracts/permissions'
import { inWords } from '@svc/contracts/permission-words'
import type { UserToken } from '@svc/contracts/user-token'
import { rolePermissions } from '../data/contracts.values.ts'
import { type Wording, as } from './states.ts'

// Each table has a row for each name of the contracts: a new one without its words does not compile.

export const roleWords: Readonly<Record<Role, string>> = {
  owner: 'May do everything, and alone makes, changes and removes owners.',
  admin:
    'Does what a member does, and manages people, tokens, webhooks and what runners run before a launch.',
  member: 'Plans, launches and reviews, answers agents, and runs runners.',
  viewer: 'Reads projects, missions and runs, and changes nothing of them.',
}

export const presetWords: Readonly<Record<TokenPreset, string>> = {
  full: 'For a command line of your own: it may whatever you may.',
  mission_lifecycle: 'For an agent or a program that plans missions and works on them.',
  runner: 'For a runner: what it needs to take launches and to carry them out.',
  read_only: 'For a program that looks on.',
  webhook_consumer: 'For a receiver of webhooks, which reads what they point to.',
}

export type TokenState = 'good' | 'ending' | 'ended' | 'revoked'

export const tokenWords: Readonly<Record<TokenState, Wording>> = {
  good: as('✓', 'good', 'good', 'It is taken until it ends.'),
  ending: as('◔', 'ends soon', 'waits', 'What uses it stops working when it ends.'),
  ended: as('○', 'ended', 'quiet', 'Its time is over, and nothing takes it.'),
  revoked: as('✕', 'revoked', 'quiet', 'Somebody has ended it, and nothing takes it.'),
}

const week = 7 * 24 * 60 * 60_000

export function stateOfToken(
  { revokedAt, expiresAt }: Pick<UserToken, 'revokedAt' | 'expiresAt'>,
  now: number,
): TokenState {
  if (revokedAt !== null) return 'revoked'
  const left = Date.parse(expiresAt) - now
  if (left <= 0) return 'ended'
  return left <= week ? 'ending' : 'good'
}

/** What a token may do, each thing in words; of its rights those count that the role of its person gives, too. */
export function rightsInWords(permissions: readonly Permission[], role: Role): string[] {
  return inWords(permissions.filter((one) => rolePermissions[role].includes(one)))
}
