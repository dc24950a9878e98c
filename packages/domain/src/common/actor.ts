import type { Permission, Role, TokenPreset } from '@svc/contracts/permissions'
import type { TokenAudience } from '@svc/contracts/user-token'

/** Who calls, in which workspace, and what the credential and the role together allow. */
export interface Actor {
  workspaceId: string
  userId: string
  userName: string
  role: Role
  /** role ∩ scope of the credential, read anew for every request */
  permissions: ReadonlySet<Permission>
  /** An owner of a workspace that was deleted, who may restore it and nothing else. */
  isOfDeleted?: true
  credential: {
    /**
     * A sign-in is that of a browser; it counts as a token of full scope. That of a run is derived from the token that
     * claimed it.
     */
    kind: 'token' | 'sign_in' | 'run'
    /** For the token of a run this is the token that claimed it: its supervisor repeats with that what the agent began. */
    id: string
    /** Which run it is of, as often as that had been claimed; null with any other. */
    run: { requestId: string; generation: number } | null
    /** The first characters of a token, by which people know it. */
    prefix: string | null
    preset: TokenPreset | null
    scope: 'full' | 'scoped'
    audiences: readonly TokenAudience[]
    /** null: every project of the workspace; of a token for one objective the project of that one */
    projectIds: readonly string[] | null
    /** set on a token that is good for one objective alone: apart from it, it sees only its mission */
    objective: { id: string; missionId: string } | null
    expiresAt: Date
  }
}
