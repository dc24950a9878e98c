import type { Role, TokenPreset } from '@svc/contracts/permissions'
import type { Domain } from '../domain.ts'
import { ensureMember, issueToken } from '../workspaces/set-up/set-up.ts'
import { type Person, personWith } from './people.ts'

export interface Enrolment {
  workspaceId: string
  name: string
  role?: Role
  preset?: TokenPreset
}

/** Somebody of that name in the workspace, with a token. Who is a member already keeps the role that they have. */
export async function enrol(
  domain: Domain,
  { workspaceId, name, role = 'admin', preset = 'full' }: Enrolment,
): Promise<Person & { userId: string }> {
  const email = `${name}@example.com`
  const userId = await ensureMember(domain, { workspaceId, email, name, role })
  const order = { workspaceId, userId, label: 'own', preset, expiresInDays: 90 }
  return { userId, ...personWith(domain, await issueToken(domain, order)) }
}
