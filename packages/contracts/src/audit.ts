import { z } from 'zod'
import { Timestamp, Uuid } from './ids.ts'

/** What is kept for `SVC_AUDIT_DAYS`: what changes who may do what, and what was deleted. */
export const AuditAction = z.enum([
  'token.minted',
  'token.revoked',
  'grant.approved',
  'workspace.created',
  'workspace.changed',
  'workspace.deleted',
  'workspace.restored',
  'member.invited',
  'member.invitation_revoked',
  'member.joined',
  'member.role_changed',
  'member.removed',
  'member.left',
  'password.reset_link_made',
  'password.reset',
  'launch_settings.changed',
  'webhook.created',
  'webhook.changed',
  'webhook.enabled',
  'webhook.disabled',
  'webhook.secret_rotated',
  'webhook.deleted',
  'status.deleted',
  'attachment.deleted',
  'mission.budget_changed',
  'mission.deleted',
  'objective.deleted',
  'runner.removed',
  'owner.set_up',
  'sign_in.started',
  'sign_in.failed',
  'sign_in.ended',
  'password.changed',
  'identity.linked',
  'identity.unlinked',
  'email.released',
  'access.ended',
  'backup.restored',
  'audit.pruned',
])
export type AuditAction = z.infer<typeof AuditAction>

/**
 * By what somebody acted: a browser in which they were signed in, a token that they made, one that an application was
 * approved, one of a runner, or what an agent was given for its run.
 */
export const AuditMeans = z.strictObject({
  kind: z.enum(['browser', 'token', 'application', 'runner', 'run']),
  /** What people call the token, or the one that claimed the run. */
  label: z.string().nullable(),
  executionRequestId: Uuid.nullable(),
})
export type AuditMeans = z.infer<typeof AuditMeans>

export const AuditEntry = z.strictObject({
  id: Uuid,
  at: Timestamp,
  action: AuditAction,
  /** Null: without a credential, on the server or by somebody who did not prove who they are. */
  actor: z.strictObject({ id: Uuid, name: z.string() }).nullable(),
  /** Null: by none of these, or written by a version that did not keep it. */
  by: AuditMeans.nullable().default(null),
  /** The first characters of the token that was used. */
  tokenPrefix: z.string().nullable(),
  /** The network that the call came from. */
  from: z.string().nullable(),
  /** Null: of the workspace as a whole. */
  projectId: Uuid.nullable(),
  targetId: Uuid,
  /** What the action is known by; never a secret. */
  details: z.record(z.string(), z.unknown()),
})
export type AuditEntry = z.infer<typeof AuditEntry>
