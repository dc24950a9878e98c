// Made by `npm run tables` from the migrated schema. Do not edit.
import type { ColumnType, Generated, GeneratedAlways, Insertable, Selectable } from 'kysely'
import type { AttemptOutcome } from '@svc/contracts/webhook-subscription'
import type { AttemptTrigger } from '@svc/contracts/webhook-subscription'
import type { AuditAction } from '@svc/contracts/audit'
import type { Checks } from '@svc/contracts/check'
import type { ConversationUsage } from '@svc/contracts/usage'
import type { DeliverAnswer } from '@svc/contracts/protocol'
import type { DeliveryChecks } from '@svc/contracts/check'
import type { DeliveryReport } from '@svc/contracts/delivery'
import type { DisabledReason } from '@svc/contracts/webhook-subscription'
import type { EntryReason } from '@svc/contracts/run-queue'
import type { EntryState } from '@svc/contracts/run-queue'
import type { HeldAgent } from '@svc/contracts/runner'
import type { InboxMeans } from '@svc/contracts/inbox-item'
import type { LastOutcome } from '@svc/contracts/states'
import type { LaunchConfig } from '@svc/contracts/execution-request'
import type { MetLimit } from '@svc/contracts/agent-limit'
import type { NextStep } from '@svc/contracts/next-step'
import type { NotStartedState } from '@svc/contracts/states'
import type { ObjectiveState } from '@svc/contracts/states'
import type { PauseReason } from '@svc/contracts/run-queue'
import type { PayloadMode } from '@svc/contracts/webhook-subscription'
import type { QuestionOption } from '@svc/contracts/question'
import type { QuestionStatus } from '@svc/contracts/states'
import type { RequestSource } from '@svc/contracts/states'
import type { RequestStatus } from '@svc/contracts/states'
import type { Rights } from '@svc/contracts/rights'
import type { Role } from '@svc/contracts/permissions'
import type { RunChecks } from '@svc/contracts/check'
import type { RunOutcome } from '@svc/contracts/states'
import type { RunnerStep } from '@svc/contracts/next-step'
import type { SessionEndReason } from '@svc/contracts/states'
import type { SessionStatus } from '@svc/contracts/states'
import type { SettledState } from '@svc/contracts/webhook-subscription'
import type { StatusType } from '@svc/contracts/states'
import type { StoredDiff } from '@svc/contracts/run-changes'
import type { TokenPreset } from '@svc/contracts/permissions'
import type { UsageOfRun } from '@svc/contracts/usage'
import type { WaitingOn } from '@svc/contracts/run-queue'
import type { WebhookDeliveryState } from '@svc/contracts/webhook-subscription'

type Timestamp = ColumnType<Date, Date | string, Date | string>
type DefaultTimestamp = ColumnType<Date, Date | string | undefined, Date | string>
type Json<T> = ColumnType<T, string, string>

export interface AgentSessionTable {
  workspace_id: string
  id: string
  seq: Generated<number>
  mission_id: string
  objective_id: string
  execution_request_id: string | null
  generation: number | null
  user_id: string
  session_key_hash: Buffer
  agent_identifier: string
  model_identifier: string | null
  external_session_id: string | null
  title: string
  percent: number | null
  note: string | null
  phase: Generated<'execute' | 'review'>
  status: Generated<SessionStatus>
  end_reason: SessionEndReason | null
  attached_at: DefaultTimestamp
  last_heard_at: DefaultTimestamp
  ended_at: Timestamp | null
}
export type AgentSessionRow = Selectable<AgentSessionTable>
export type NewAgentSession = Insertable<AgentSessionTable>

export interface ArtifactTable {
  workspace_id: string
  id: string
  mission_id: string
  objective_id: string | null
  delivery_id: string | null
  type: string
  label: string
  content_text: string | null
  external_url: string | null
  revision: Generated<number>
  created_at: DefaultTimestamp
  updated_at: DefaultTimestamp
}
export type ArtifactRow = Selectable<ArtifactTable>
export type NewArtifact = Insertable<ArtifactTable>

export interface AttachmentTable {
  workspace_id: string
  id: string
  mission_id: string
  objective_id: string
  name: string
  media_type: string
  size: number
  sha256: string
  bytes: Buffer
  created_by: string
  created_at: DefaultTimestamp
}
export type AttachmentRow = Selectable<AttachmentTable>
export type NewAttachment = Insertable<AttachmentTable>

export interface AuditTrailTable {
  workspace_id: string
  id: string
  created_at: DefaultTimestamp
  actor_id: string | null
  token_prefix: string | null
  came_from: string | null
  action: AuditAction
  project_id: string | null
  target_id: string
  details: Json<Record<string, unknown>>
  by_kind: 'token' | 'sign_in' | 'run' | null
  token_id: string | null
  execution_request_id: string | null
}
export type AuditTrailRow = Selectable<AuditTrailTable>
export type NewAuditTrail = Insertable<AuditTrailTable>

export interface ChangeRationaleTable {
  workspace_id: string
  mission_id: string
  objective_id: string
  file_path: string
  label: string
  summary: string
  why: string
  impact: string
  hunks: ColumnType<{ header: string }[] | null, string | null | undefined, string | null>
  delivery_id: string | null
  created_at: DefaultTimestamp
}
export type ChangeRationaleRow = Selectable<ChangeRationaleTable>
export type NewChangeRationale = Insertable<ChangeRationaleTable>

export interface ChangedFileTable {
  workspace_id: string
  mission_id: string
  objective_id: string
  file_path: string
  vcs_status: 'added' | 'modified' | 'deleted' | 'renamed' | 'copied' | 'untracked'
  observed_at: DefaultTimestamp
}
export type ChangedFileRow = Selectable<ChangedFileTable>
export type NewChangedFile = Insertable<ChangedFileTable>

export interface DeliveryTable {
  workspace_id: string
  id: string
  mission_id: string
  objective_id: string
  session_id: string | null
  summary: string
  report: ColumnType<DeliveryReport | null, string | null | undefined, string | null>
  content_hash: Buffer
  warnings: ColumnType<string[], string | undefined, string>
  next: ColumnType<DeliverAnswer['next'] | null, string | null | undefined, string | null>
  created_at: DefaultTimestamp
  checks: ColumnType<DeliveryChecks | null, string | null | undefined, string | null>
}
export type DeliveryRow = Selectable<DeliveryTable>
export type NewDelivery = Insertable<DeliveryTable>

export interface EntityChangeTable {
  workspace_id: string
  xid: Generated<string>
  seq: GeneratedAlways<number>
  project_id: string | null
  mission_id: string | null
  entity: string
  entity_id: string
  operation: string
  data: ColumnType<Record<string, unknown>, string | undefined, string>
  created_at: DefaultTimestamp
  user_id: string | null
  revision: number | null
}
export type EntityChangeRow = Selectable<EntityChangeTable>
export type NewEntityChange = Insertable<EntityChangeTable>

export interface ExecutionRequestTable {
  workspace_id: string
  id: string
  seq: Generated<number>
  project_id: string
  mission_id: string
  objective_id: string
  kind: 'run' | 'resume'
  resume_of: string | null
  only_device: string | null
  only_runner: string | null
  status: RequestStatus
  outcome: RunOutcome | null
  source: RequestSource
  agent: string
  resource_key: string | null
  from_base: Generated<boolean>
  config: Json<LaunchConfig>
  attempt: Generated<number>
  generation: Generated<number>
  claim_id: string | null
  runner_id: string | null
  lease_expires_at: Timestamp | null
  lease_renewed_at: Timestamp | null
  run_after: DefaultTimestamp
  attach_by: Timestamp | null
  cancel_requested_at: Timestamp | null
  cancel_reason: string | null
  no_runner_notified_at: Timestamp | null
  failure: ColumnType<{ code: string; message: string; phase: 'prepare' | 'pre_launch' | 'spawn' | 'attach' | 'service'; next?: RunnerStep } | null, string | null | undefined, string | null>
  last_release: ColumnType<{ reason: string; at: string; detail?: string | null; until?: string; next?: RunnerStep } | null, string | null | undefined, string | null>
  waits: ColumnType<Record<string, { reason: string; tries: number; until: string }>, string | undefined, string>
  prepared: ColumnType<{ workingDirectory: string; branch: string | null; baseSha: string | null; checkout: 'own' | 'worktree' | 'scratch'; missionBranch?: string | null; startSha?: string | null; warnings?: string[]; pushes?: boolean | undefined; others?: { resourceKey: string; workingDirectory: string; branch: string; missionBranch: string; startSha: string; baseSha: string; checkout: 'own' | 'worktree' }[] } | null, string | null | undefined, string | null>
  process: ColumnType<{ pid: number; pidStartedAt: string; argvRedacted: string[]; externalSessionId?: string; agentError?: string } | null, string | null | undefined, string | null>
  exit: ColumnType<{ exitCode: number | null; signal: string | null; cause: string; lastOutput: string; agentError?: string; limit?: MetLimit; warnings?: string[] } | null, string | null | undefined, string | null>
  advanced_by_delivery_id: string | null
  run_queue_entry_id: string | null
  run_queue_attempt: number | null
  requested_by: string
  created_at: DefaultTimestamp
  updated_at: DefaultTimestamp
  ended_at: Timestamp | null
  checks: ColumnType<RunChecks | null, string | null | undefined, string | null>
  started_at: Timestamp | null
  used: ColumnType<UsageOfRun | null, string | null | undefined, string | null>
  gone_on: Generated<boolean>
}
export type ExecutionRequestRow = Selectable<ExecutionRequestTable>
export type NewExecutionRequest = Insertable<ExecutionRequestTable>

export interface FailedSignInTable {
  bucket: Buffer
  failures: number
  since: Timestamp
}
export type FailedSignInRow = Selectable<FailedSignInTable>
export type NewFailedSignIn = Insertable<FailedSignInTable>

export interface FeedFloorTable {
  single: Generated<boolean>
  xid: Generated<string>
  era: Generated<number>
}
export type FeedFloorRow = Selectable<FeedFloorTable>
export type NewFeedFloor = Insertable<FeedFloorTable>

export interface HeldMembershipTable {
  workspace_id: string
  user_id: string
  role: Role
  created_at: Timestamp
}
export type HeldMembershipRow = Selectable<HeldMembershipTable>
export type NewHeldMembership = Insertable<HeldMembershipTable>

export interface IdempotencyKeyTable {
  workspace_id: string
  owner: string
  route: string
  key_hash: Buffer
  body_hash: Buffer
  answer: string | null
  answer_secret: Buffer | null
  created_at: DefaultTimestamp
}
export type IdempotencyKeyRow = Selectable<IdempotencyKeyTable>
export type NewIdempotencyKey = Insertable<IdempotencyKeyTable>

export interface InboxItemTable {
  workspace_id: string
  id: string
  user_id: string
  title: string
  text: string | null
  mission_id: string | null
  revision: Generated<number>
  created_at: DefaultTimestamp
  updated_at: DefaultTimestamp
  done_at: Timestamp | null
  noted_by: ColumnType<InboxMeans | null, string | null | undefined, string | null>
  turned_at: Timestamp | null
  turned_by: ColumnType<InboxMeans | null, string | null | undefined, string | null>
}
export type InboxItemRow = Selectable<InboxItemTable>
export type NewInboxItem = Insertable<InboxItemTable>

export interface InvitationTable {
  workspace_id: string
  id: string
  email: string
  role: Role
  invited_by: string
  secret_hash: Buffer
  created_at: DefaultTimestamp
  expires_at: Timestamp
}
export type InvitationRow = Selectable<InvitationTable>
export type NewInvitation = Insertable<InvitationTable>

export interface KeyCanaryTable {
  single: Generated<boolean>
  sealed: Buffer
}
export type KeyCanaryRow = Selectable<KeyCanaryTable>
export type NewKeyCanary = Insertable<KeyCanaryTable>

export interface LedgerBatchTable {
  workspace_id: string
  objective_id: string
  batch_id: string
  mission_id: string
  session_id: string
  seq: number
  part: number | null
  parts: number | null
  items: Json<unknown[]>
  answer: Json<{ result: 'accepted' | 'ignored' | 'warning'; message?: string }[]>
  received_at: DefaultTimestamp
  drained_at: Timestamp | null
}
export type LedgerBatchRow = Selectable<LedgerBatchTable>
export type NewLedgerBatch = Insertable<LedgerBatchTable>

export interface LoginRequestTable {
  id: string
  challenge: Buffer
  handle_hash: Buffer
  code: string
  device: string
  network: string
  state: Generated<string>
  user_id: string | null
  approved_in: string | null
  token_id: string | null
  taken_at: Timestamp | null
  created_at: DefaultTimestamp
  expires_at: Timestamp
}
export type LoginRequestRow = Selectable<LoginRequestTable>
export type NewLoginRequest = Insertable<LoginRequestTable>

export interface MembershipTable {
  workspace_id: string
  user_id: string
  role: Role
  created_at: DefaultTimestamp
}
export type MembershipRow = Selectable<MembershipTable>
export type NewMembership = Insertable<MembershipTable>

export interface MissionBranchTable {
  workspace_id: string
  mission_id: string
  resource_key: string
  objective_id: string | null
  branch: string
  start_sha: string
  last_sha: string
  runner_id: string
  execution_request_id: string
  updated_at: DefaultTimestamp
}
export type MissionBranchRow = Selectable<MissionBranchTable>
export type NewMissionBranch = Insertable<MissionBranchTable>

export interface MissionEventTable {
  workspace_id: string
  id: string
  sequence: Generated<number>
  mission_id: string
  objective_id: string | null
  type: string
  summary: string
  data: ColumnType<Record<string, unknown>, string | undefined, string>
  actor_id: string | null
  actor_role: 'person' | 'agent' | 'runner' | 'service'
  created_at: DefaultTimestamp
}
export type MissionEventRow = Selectable<MissionEventTable>
export type NewMissionEvent = Insertable<MissionEventTable>

export interface MissionWordTable {
  workspace_id: string
  mission_id: string
  text_id: string
  words: string
}
export type MissionWordRow = Selectable<MissionWordTable>
export type NewMissionWord = Insertable<MissionWordTable>

export interface MissionTable {
  workspace_id: string
  id: string
  project_id: string
  sequence: number
  title: string
  status_id: string
  priority: 'low' | 'normal' | 'high' | 'urgent'
  active_branch: string | null
  use_worktrees: boolean | null
  allow_parallel_objectives: Generated<boolean>
  auto_advance: Generated<boolean>
  auto_advance_set_by: string | null
  pending_advance_delivery_id: string | null
  open_questions: Generated<number>
  revision: Generated<number>
  created_by: string
  created_at: DefaultTimestamp
  updated_at: DefaultTimestamp
  deleted_at: Timestamp | null
  budget_millionths: number | null
  budget_tokens: number | null
  budget_runs: number | null
  launches: Generated<number>
  used_runs: Generated<number>
  used_runs_without_usd: Generated<number>
  used_runs_without_tokens: Generated<number>
  used_input_tokens: Generated<number>
  used_output_tokens: Generated<number>
  used_millionths: Generated<number>
  used_seconds: Generated<number>
  in_review_since: Timestamp | null
  addressed_to: string | null
}
export type MissionRow = Selectable<MissionTable>
export type NewMission = Insertable<MissionTable>

export interface NotificationTable {
  workspace_id: string
  id: string
  user_id: string
  project_id: string | null
  kind: string
  key: string
  subject_id: string | null
  title: string
  link: string
  next: Json<NextStep>
  created_at: DefaultTimestamp
  read_at: Timestamp | null
}
export type NotificationRow = Selectable<NotificationTable>
export type NewNotification = Insertable<NotificationTable>

export interface OauthClientTable {
  id: string
  name: string
  redirect_uris: string[]
  application_type: string | null
  metadata_hash: Buffer | null
  network: string | null
  created_at: DefaultTimestamp
  kept_until: Timestamp
  fresh_until: Timestamp | null
}
export type OauthClientRow = Selectable<OauthClientTable>
export type NewOauthClient = Insertable<OauthClientTable>

export interface OauthRequestTable {
  id: string
  handle_hash: Buffer
  client_id: string
  client_name: string
  redirect_uri: string
  state: string | null
  code_challenge: string
  resource: string
  created_at: DefaultTimestamp
  expires_at: Timestamp
  code_hash: Buffer | null
  code_expires_at: Timestamp | null
  approved_in: string | null
  grant_id: string | null
  used_at: Timestamp | null
}
export type OauthRequestRow = Selectable<OauthRequestTable>
export type NewOauthRequest = Insertable<OauthRequestTable>

export interface ObjectiveTable {
  workspace_id: string
  id: string
  mission_id: string
  key: string
  position: number | null
  title: string
  instruction: string
  blank: GeneratedAlways<boolean>
  state: ObjectiveState
  prior_state: NotStartedState | null
  serial: Generated<boolean>
  last_outcome: LastOutcome | null
  assigned_agent: string | null
  model: string | null
  reasoning_effort: string | null
  resource_key: string | null
  branch: string | null
  approval_refusal: ColumnType<{ code: string; message: string } | null, string | null | undefined, string | null>
  advances_queue_id: string | null
  revision: Generated<number>
  created_by: string
  created_at: DefaultTimestamp
  completed_at: Timestamp | null
  deleted_at: Timestamp | null
  deleted_position: number | null
  deleted_with_mission: Generated<boolean>
  chosen_check: string | null
  used_runs: Generated<number>
  used_runs_without_usd: Generated<number>
  used_runs_without_tokens: Generated<number>
  used_input_tokens: Generated<number>
  used_output_tokens: Generated<number>
  used_millionths: Generated<number>
  used_seconds: Generated<number>
  conversation: ColumnType<ConversationUsage & { seq: number } | null, string | null | undefined, string | null>
  need: 'awaiting_approval' | 'stopped' | null
  need_since: Timestamp | null
  addressed_to: string | null
}
export type ObjectiveRow = Selectable<ObjectiveTable>
export type NewObjective = Insertable<ObjectiveTable>

export interface OpenidRequestTable {
  secret_hash: Buffer
  provider: string
  next: string
  sign_in_id: string | null
  stranger: ColumnType<{ issuer: string; subject: string; email?: string; emailIsVerified: boolean; name?: string } | null, string | null | undefined, string | null>
  expires_at: Timestamp
}
export type OpenidRequestRow = Selectable<OpenidRequestTable>
export type NewOpenidRequest = Insertable<OpenidRequestTable>

export interface ProjectResourceTable {
  workspace_id: string
  project_id: string
  resource_key: string
  permission: 'rw' | 'ro'
  is_primary: Generated<boolean>
  default_branch: string | null
  created_at: DefaultTimestamp
  clone_url: string | null
}
export type ProjectResourceRow = Selectable<ProjectResourceTable>
export type NewProjectResource = Insertable<ProjectResourceTable>

export interface ProjectStatusTable {
  workspace_id: string
  project_id: string
  id: string
  type: StatusType
  label: string
  position: number
}
export type ProjectStatusRow = Selectable<ProjectStatusTable>
export type NewProjectStatus = Insertable<ProjectStatusTable>

export interface ProjectTable {
  workspace_id: string
  id: string
  slug: string
  name: string
  default_branch: Generated<string>
  use_worktrees: Generated<boolean>
  push_branches: Generated<boolean>
  max_runtime_minutes: number | null
  pre_command: string | null
  pre_launch_commands: ColumnType<string[], string | undefined, string>
  allowed_commands: ColumnType<string[], string | undefined, string>
  launch_env_vars: ColumnType<Record<string, string>, string | undefined, string>
  agent_settings: ColumnType<Record<string, { model?: string; reasoningEffort?: string; rights?: Rights; flags?: string[] }>, string | undefined, string>
  mission_sequence: Generated<number>
  revision: Generated<number>
  created_by: string
  created_at: DefaultTimestamp
  checks: ColumnType<Checks, string | undefined, string>
}
export type ProjectRow = Selectable<ProjectTable>
export type NewProject = Insertable<ProjectTable>

export interface QuestionTable {
  workspace_id: string
  id: string
  project_id: string
  mission_id: string
  objective_id: string
  session_id: string
  agent_identifier: string
  question: string
  options: ColumnType<QuestionOption[], string | undefined, string>
  allow_free_text: boolean
  status: Generated<QuestionStatus>
  answer_option_id: string | null
  answer_text: string | null
  answered_by: string | null
  answered_at: Timestamp | null
  shown_at: Timestamp | null
  asked_at: DefaultTimestamp
  expires_at: Timestamp
  closed_at: Timestamp | null
  addressed_to: string | null
}
export type QuestionRow = Selectable<QuestionTable>
export type NewQuestion = Insertable<QuestionTable>

export interface RemovedWorkspaceTable {
  id: string
  slug: string
  name: string
  deleted_by: string | null
  deleted_at: Timestamp
  removed_at: DefaultTimestamp
}
export type RemovedWorkspaceRow = Selectable<RemovedWorkspaceTable>
export type NewRemovedWorkspace = Insertable<RemovedWorkspaceTable>

export interface ReservedBranchTable {
  workspace_id: string
  mission_id: string
  resource_key: string
  follows: string | null
  branch: string
  runner_id: string
}
export type ReservedBranchRow = Selectable<ReservedBranchTable>
export type NewReservedBranch = Insertable<ReservedBranchTable>

export interface ResetLinkTable {
  user_id: string
  made_in: string | null
  made_by: string | null
  secret_hash: Buffer
  created_at: DefaultTimestamp
  expires_at: Timestamp
}
export type ResetLinkRow = Selectable<ResetLinkTable>
export type NewResetLink = Insertable<ResetLinkTable>

export interface RunDiffTable {
  workspace_id: string
  execution_request_id: string
  mission_id: string
  objective_id: string
  diff: Json<StoredDiff>
  updated_at: DefaultTimestamp
  report: string | null
  files: number | null
  additions: number | null
  deletions: number | null
}
export type RunDiffRow = Selectable<RunDiffTable>
export type NewRunDiff = Insertable<RunDiffTable>

export interface RunFileTable {
  workspace_id: string
  execution_request_id: string
  report: string
  position: number
  file_path: string
  additions: number | null
  deletions: number | null
  patch: string | null
  patch_bytes: number | null
}
export type RunFileRow = Selectable<RunFileTable>
export type NewRunFile = Insertable<RunFileTable>

export interface RunLogChunkTable {
  workspace_id: string
  execution_request_id: string
  generation: number
  start_offset: number
  skipped: Generated<number>
  bytes: Buffer
  created_at: DefaultTimestamp
  raw_bytes: number | null
}
export type RunLogChunkRow = Selectable<RunLogChunkTable>
export type NewRunLogChunk = Insertable<RunLogChunkTable>

export interface RunLogEndTable {
  workspace_id: string
  execution_request_id: string
  xid: Generated<string>
  project_id: string
  mission_id: string
  objective_id: string
  generation: number
  end_offset: number
  updated_at: DefaultTimestamp
}
export type RunLogEndRow = Selectable<RunLogEndTable>
export type NewRunLogEnd = Insertable<RunLogEndTable>

export interface RunLogSumTable {
  workspace_id: string
  part: number
  stored_bytes: number
}
export type RunLogSumRow = Selectable<RunLogSumTable>
export type NewRunLogSum = Insertable<RunLogSumTable>

export interface RunLogTable {
  workspace_id: string
  execution_request_id: string
  generation: number
  end_offset: number
  kept_bytes: number
}
export type RunLogRow = Selectable<RunLogTable>
export type NewRunLog = Insertable<RunLogTable>

export interface RunQueueEntryTable {
  workspace_id: string
  id: string
  run_queue_id: string
  mission_id: string
  objective_id: string
  position: number
  state: EntryState
  reason: EntryReason | null
  waiting_on: ColumnType<WaitingOn | null, string | null | undefined, string | null>
  attempt: Generated<number>
  turn_granted_by: string | null
  queued_by: string
  execution_request_id: string | null
  created_at: DefaultTimestamp
  held_since: Timestamp | null
}
export type RunQueueEntryRow = Selectable<RunQueueEntryTable>
export type NewRunQueueEntry = Insertable<RunQueueEntryTable>

export interface RunQueueTable {
  workspace_id: string
  id: string
  project_id: string
  name: string
  position: number
  is_default: Generated<boolean>
  paused_at: Timestamp | null
  paused_by: string | null
  pause_reason: PauseReason | null
  advance_pending_since: Timestamp | null
  revision: Generated<number>
  created_by: string
  created_at: DefaultTimestamp
  addressed_to: string | null
}
export type RunQueueRow = Selectable<RunQueueTable>
export type NewRunQueue = Insertable<RunQueueTable>

export interface RunnerResourceTable {
  workspace_id: string
  runner_id: string
  project_id: string
  resource_key: string
  path: string
  state: 'usable' | 'missing' | 'unreadable' | 'not_a_repository'
}
export type RunnerResourceRow = Selectable<RunnerResourceTable>
export type NewRunnerResource = Insertable<RunnerResourceTable>

export interface RunnerTable {
  workspace_id: string
  id: string
  user_id: string
  fingerprint: string
  label: string
  platform: string
  arch: string
  instance_id: string
  version: string
  agents: Json<{ key: string; version: string | null; path: string }[]>
  capacity: Json<{ max: number; running: number }>
  project_ids: string[] | null
  last_heard_at: Timestamp
  removed_at: Timestamp | null
  created_at: DefaultTimestamp
  held_agents: ColumnType<HeldAgent[], string | undefined, string>
  ephemeral: Generated<boolean>
  unnamed_since: Timestamp | null
}
export type RunnerRow = Selectable<RunnerTable>
export type NewRunner = Insertable<RunnerTable>

export interface SetupLinkTable {
  is_only: Generated<boolean>
  secret_hash: Buffer
  user_id: string
  created_at: DefaultTimestamp
}
export type SetupLinkRow = Selectable<SetupLinkTable>
export type NewSetupLink = Insertable<SetupLinkTable>

export interface SharedStateTable {
  workspace_id: string
  mission_id: string
  key: string
  value: Json<unknown>
  revision: Generated<number>
  set_by: string | null
  set_by_role: 'person' | 'agent' | null
  updated_at: DefaultTimestamp
}
export type SharedStateRow = Selectable<SharedStateTable>
export type NewSharedState = Insertable<SharedStateTable>

export interface SignInTable {
  id: string
  user_id: string
  secret_hmac: Buffer
  hmac_kid: string
  browser: string
  network: string | null
  created_at: DefaultTimestamp
  last_used_at: DefaultTimestamp
  expires_at: Timestamp
  ended_at: Timestamp | null
}
export type SignInRow = Selectable<SignInTable>
export type NewSignIn = Insertable<SignInTable>

export interface SweepStateTable {
  single: Generated<boolean>
  last_pass_at: Timestamp
}
export type SweepStateRow = Selectable<SweepStateTable>
export type NewSweepState = Insertable<SweepStateTable>

export interface UsageWeekTable {
  workspace_id: string
  week: Timestamp
  project_id: string
  agent: string
  model: string
  runs: number
  runs_without_usd: number
  runs_without_tokens: number
  input_tokens: number
  output_tokens: number
  millionths: number
  seconds: number
  runs_delivered: Generated<number>
  runs_exited: Generated<number>
  runs_lost: Generated<number>
  runs_cancelled: Generated<number>
  runs_failed: Generated<number>
}
export type UsageWeekRow = Selectable<UsageWeekTable>
export type NewUsageWeek = Insertable<UsageWeekTable>

export interface UserIdentityTable {
  id: Generated<string>
  issuer: string
  subject: string
  user_id: string
  created_at: DefaultTimestamp
}
export type UserIdentityRow = Selectable<UserIdentityTable>
export type NewUserIdentity = Insertable<UserIdentityTable>

export interface UserPasswordTable {
  user_id: string
  hash: string
  changed_at: DefaultTimestamp
}
export type UserPasswordRow = Selectable<UserPasswordTable>
export type NewUserPassword = Insertable<UserPasswordTable>

export interface UserTokenScopeTable {
  workspace_id: string
  token_id: string
  permission: string
}
export type UserTokenScopeRow = Selectable<UserTokenScopeTable>
export type NewUserTokenScope = Insertable<UserTokenScopeTable>

export interface UserTokenTable {
  workspace_id: string
  id: string
  user_id: string
  kind: 'minted' | 'oauth'
  preset: TokenPreset | null
  scope_kind: 'full' | 'scoped'
  audiences: string[]
  project_ids: string[] | null
  objective_id: string | null
  parent_id: string | null
  client_id: string | null
  token_hmac: Buffer | null
  hmac_kid: string | null
  prefix: string
  label: string
  created_at: DefaultTimestamp
  expires_at: Timestamp
  last_used_at: Timestamp | null
  revoked_at: Timestamp | null
  revoked_reason: string | null
}
export type UserTokenRow = Selectable<UserTokenTable>
export type NewUserToken = Insertable<UserTokenTable>

export interface UserTable {
  id: string
  email: string
  email_proven_at: Timestamp | null
  name: string
  created_at: DefaultTimestamp
  disabled_at: Timestamp | null
}
export type UserRow = Selectable<UserTable>
export type NewUser = Insertable<UserTable>

export interface WebhookAttemptTable {
  workspace_id: string
  delivery_id: string
  job_id: string
  claim: number
  attempt: number
  trigger: AttemptTrigger
  mode: PayloadMode | null
  started_at: Timestamp | null
  ended_at: DefaultTimestamp
  outcome: AttemptOutcome
  error: string | null
  phase: string | null
  status: number | null
  duration_ms: number | null
  address: string | null
  response_headers: ColumnType<Record<string, string>, string | undefined, string>
  response_body: string | null
  response_truncated: Generated<boolean>
}
export type WebhookAttemptRow = Selectable<WebhookAttemptTable>
export type NewWebhookAttempt = Insertable<WebhookAttemptTable>

export interface WebhookBodyTable {
  workspace_id: string
  event_id: string
  mode: PayloadMode
  bytes: Buffer
}
export type WebhookBodyRow = Selectable<WebhookBodyTable>
export type NewWebhookBody = Insertable<WebhookBodyTable>

export interface WebhookDeliveryTable {
  workspace_id: string
  id: string
  subscription_id: string
  kind: 'event' | 'ping'
  event_id: string | null
  event_type: string
  mode: PayloadMode
  state: WebhookDeliveryState
  resent_from: SettledState | null
  attempts: Generated<number>
  next_attempt_at: Timestamp | null
  job_id: string | null
  jobs: Generated<number>
  epoch: number
  created_at: DefaultTimestamp
  settled_at: Timestamp | null
}
export type WebhookDeliveryRow = Selectable<WebhookDeliveryTable>
export type NewWebhookDelivery = Insertable<WebhookDeliveryTable>

export interface WebhookEventTable {
  workspace_id: string
  id: string
  sequence: Generated<number>
  project_id: string
  mission_id: string
  type: string
  occurred_at: DefaultTimestamp
  snapshot: Json<Record<string, unknown>>
  fanned_out_at: Timestamp | null
  swept_at: Timestamp | null
  sweeps: Generated<number>
}
export type WebhookEventRow = Selectable<WebhookEventTable>
export type NewWebhookEvent = Insertable<WebhookEventTable>

export interface WebhookSubscriptionTable {
  workspace_id: string
  id: string
  name: string
  endpoint_url: string
  event_types: string[]
  project_id: string | null
  payload_mode: PayloadMode
  secret_ciphertext: Buffer | null
  consecutive_failures: Generated<number>
  warned: Generated<boolean>
  disabled_at: Timestamp | null
  disabled_reason: DisabledReason | null
  epoch: Generated<number>
  revision: Generated<number>
  created_by: string
  created_at: DefaultTimestamp
  updated_at: DefaultTimestamp
  deleted_at: Timestamp | null
}
export type WebhookSubscriptionRow = Selectable<WebhookSubscriptionTable>
export type NewWebhookSubscription = Insertable<WebhookSubscriptionTable>

export interface WorkspaceTable {
  id: string
  slug: string
  name: string
  max_token_days: Generated<number>
  created_at: DefaultTimestamp
  revision: Generated<number>
  deleted_at: Timestamp | null
  deleted_by: string | null
}
export type WorkspaceRow = Selectable<WorkspaceTable>
export type NewWorkspace = Insertable<WorkspaceTable>

export interface Tables {
  agent_sessions: AgentSessionTable
  artifacts: ArtifactTable
  attachments: AttachmentTable
  audit_trail: AuditTrailTable
  change_rationales: ChangeRationaleTable
  changed_files: ChangedFileTable
  deliveries: DeliveryTable
  entity_changes: EntityChangeTable
  execution_requests: ExecutionRequestTable
  failed_sign_ins: FailedSignInTable
  feed_floor: FeedFloorTable
  held_memberships: HeldMembershipTable
  idempotency_keys: IdempotencyKeyTable
  inbox_items: InboxItemTable
  invitations: InvitationTable
  key_canary: KeyCanaryTable
  ledger_batches: LedgerBatchTable
  login_requests: LoginRequestTable
  memberships: MembershipTable
  mission_branches: MissionBranchTable
  mission_events: MissionEventTable
  mission_words: MissionWordTable
  missions: MissionTable
  notifications: NotificationTable
  oauth_clients: OauthClientTable
  oauth_requests: OauthRequestTable
  objectives: ObjectiveTable
  openid_requests: OpenidRequestTable
  project_resources: ProjectResourceTable
  project_statuses: ProjectStatusTable
  projects: ProjectTable
  questions: QuestionTable
  removed_workspaces: RemovedWorkspaceTable
  reserved_branches: ReservedBranchTable
  reset_links: ResetLinkTable
  run_diffs: RunDiffTable
  run_files: RunFileTable
  run_log_chunks: RunLogChunkTable
  run_log_ends: RunLogEndTable
  run_log_sums: RunLogSumTable
  run_logs: RunLogTable
  run_queue_entries: RunQueueEntryTable
  run_queues: RunQueueTable
  runner_resources: RunnerResourceTable
  runners: RunnerTable
  setup_link: SetupLinkTable
  shared_state: SharedStateTable
  sign_ins: SignInTable
  sweep_state: SweepStateTable
  usage_weeks: UsageWeekTable
  user_identities: UserIdentityTable
  user_passwords: UserPasswordTable
  user_token_scopes: UserTokenScopeTable
  user_tokens: UserTokenTable
  users: UserTable
  webhook_attempts: WebhookAttemptTable
  webhook_bodies: WebhookBodyTable
  webhook_deliveries: WebhookDeliveryTable
  webhook_events: WebhookEventTable
  webhook_subscriptions: WebhookSubscriptionTable
  workspaces: WorkspaceTable
}

export const timeColumns: ReadonlySet<string> = new Set([
  'advance_pending_since',
  'answered_at',
  'asked_at',
  'attach_by',
  'attached_at',
  'cancel_requested_at',
  'changed_at',
  'closed_at',
  'code_expires_at',
  'completed_at',
  'created_at',
  'deleted_at',
  'disabled_at',
  'done_at',
  'drained_at',
  'email_proven_at',
  'ended_at',
  'expires_at',
  'fanned_out_at',
  'fresh_until',
  'held_since',
  'in_review_since',
  'kept_until',
  'last_heard_at',
  'last_pass_at',
  'last_used_at',
  'lease_expires_at',
  'lease_renewed_at',
  'need_since',
  'next_attempt_at',
  'no_runner_notified_at',
  'observed_at',
  'occurred_at',
  'paused_at',
  'read_at',
  'received_at',
  'removed_at',
  'revoked_at',
  'run_after',
  'settled_at',
  'shown_at',
  'since',
  'started_at',
  'swept_at',
  'taken_at',
  'turned_at',
  'unnamed_since',
  'updated_at',
  'used_at',
  'week',
])

export const byteColumns: ReadonlySet<string> = new Set([
  'answer_secret',
  'body_hash',
  'bucket',
  'bytes',
  'challenge',
  'code_hash',
  'content_hash',
  'handle_hash',
  'key_hash',
  'metadata_hash',
  'sealed',
  'secret_ciphertext',
  'secret_hash',
  'secret_hmac',
  'session_key_hash',
  'token_hmac',
])
