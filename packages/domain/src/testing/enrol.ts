import type { Role, TokenPreset } from '@svc/contracts/permissions'
import type { Domain } from '../domain.ts'
import { ensureMember, ensureWorkspace, issueToken } from '../workspaces/set-up/set-up.ts'
import { type Person, personWith } from './people.ts'

export interface Enrolment {
  /** The slug of a workspace, which is made where there is none. */
  workspace: string
  name: string
  role?: Role
  preset?: TokenPreset
}

export interface Member extends Person {
  userId: string
  workspaceId: string
}

/** Somebody of that name in the workspace, with a token. Who is a member already keeps the role that they have. */
export async function enrol(
  domain: Domain,
  { workspace, name, role = 'admin', preset = 'full' }: Enrolment,
): Promise<Member> {
  const email = `${name}@example.com`
  const called = workspace.slice(0, 1).toUpperCase() + workspace.slice(1)
  const workspaceId = await ensureWorkspace(domain, { slug: workspace, name: called })
  const userId = await ensureMember(domain, { workspaceId, email, name, role })
  const order = { workspaceId, userId, label: 'own', preset, expiresInDays: 90 }
  return { userId, workspaceId, ...personWith(domain, await issueToken(domain, order)) }
}
