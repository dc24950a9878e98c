interface ColumnTypeName {
  type: string
  imports: string[]
}

const from = (module: string, type: string): ColumnTypeName => ({
  type,
  imports: [`import type { ${type} } from '@svc/contracts/${module}'`],
})
const plain = (type: string): ColumnTypeName => ({ type, imports: [] })

/** What our own code writes into each jsonb column. */
export const jsonTypes: Record<string, ColumnTypeName> = {
  'projects.pre_launch_commands': plain('string[]'),
  'projects.allowed_commands': plain('string[]'),
  'projects.checks': from('check', 'Checks'),
  'projects.launch_env_vars': plain('Record<string, string>'),
  'projects.agent_settings': {
    type: 'Record<string, { model?: string; reasoningEffort?: string; rights?: Rights; flags?: string[] }>',
    imports: from('rights', 'Rights').imports,
  },
  'runners.agents': plain('{ key: string; version: string | null; path: string }[]'),
  'runners.held_agents': {
    type: 'HeldAgent[]',
    imports: from('runner', 'HeldAgent').imports,
  },
  'runners.capacity': plain('{ max: number; running: number }'),
  'objectives.conversation': {
    type: 'ConversationUsage & { seq: number }',
    imports: from('usage', 'ConversationUsage').imports,
  },
  'objectives.approval_refusal': plain('{ code: string; message: string }'),
  'execution_requests.config': from('execution-request', 'LaunchConfig'),
  'execution_requests.failure': {
    type: "{ code: string; message: string; phase: 'prepare' | 'pre_launch' | 'spawn' | 'attach' | 'service'; next?: RunnerStep }",
    imports: from('next-step', 'RunnerStep').imports,
  },
  'execution_requests.last_release': {
    type: '{ reason: string; at: string; detail?: string | null; until?: string; next?: RunnerStep }',
    imports: from('next-step', 'RunnerStep').imports,
  },
  'execution_requests.waits': plain(
    'Record<string, { reason: string; tries: number; until: string }>',
  ),
  'execution_requests.prepared': plain(
    "{ workingDirectory: string; branch: string | null; baseSha: string | null; checkout: 'own' | 'worktree' | 'scratch'; missionBranch?: string | null; startSha?: string | null; warnings?: string[]; pushes?: boolean | undefined; others?: { resourceKey: string; workingDirectory: string; branch: string; missionBranch: string; startSha: string; baseSha: string; checkout: 'own' | 'worktree' }[] }",
  ),
  'execution_requests.process': plain(
    '{ pid: number; pidStartedAt: string; argvRedacted: string[]; externalSessionId?: string; agentError?: string }',
  ),
  'execution_requests.exit': {
    type: '{ exitCode: number | null; signal: string | null; cause: string; lastOutput: string; agentError?: string; limit?: MetLimit; warnings?: string[] }',
    imports: from('agent-limit', 'MetLimit').imports,
  },
  'execution_requests.checks': from('check', 'RunChecks'),
  'execution_requests.used': from('usage', 'UsageOfRun'),
  'questions.options': {
    type: 'QuestionOption[]',
    imports: from('question', 'QuestionOption').imports,
  },
  'run_queue_entries.waiting_on': from('run-queue', 'WaitingOn'),
  'deliveries.report': from('delivery', 'DeliveryReport'),
  'deliveries.warnings': plain('string[]'),
  'deliveries.checks': from('check', 'DeliveryChecks'),
  'deliveries.next': {
    type: "DeliverAnswer['next']",
    imports: ["import type { DeliverAnswer } from '@svc/contracts/protocol'"],
  },
  'notifications.next': from('next-step', 'NextStep'),
  'inbox_items.noted_by': from('inbox-item', 'InboxMeans'),
  'inbox_items.turned_by': from('inbox-item', 'InboxMeans'),
  'ledger_batches.items': plain('unknown[]'),
  'ledger_batches.answer': plain(
    "{ result: 'accepted' | 'ignored' | 'warning'; message?: string }[]",
  ),
  'change_rationales.hunks': plain('{ header: string }[]'),
  'mission_events.data': plain('Record<string, unknown>'),
  'entity_changes.data': plain('Record<string, unknown>'),
  'run_diffs.diff': from('run-changes', 'StoredDiff'),
  'openid_requests.stranger': plain(
    '{ issuer: string; subject: string; email?: string; emailIsVerified: boolean; name?: string }',
  ),
  'audit_trail.details': plain('Record<string, unknown>'),
  'webhook_events.snapshot': plain('Record<string, unknown>'),
  'webhook_attempts.response_headers': plain('Record<string, string>'),
}

/** Text columns whose check constraint is a vocabulary of the contracts. */
export const literalTypes: Record<string, ColumnTypeName> = {
  'audit_trail.by_kind': plain("'token' | 'sign_in' | 'run'"),
  'invitations.role': from('permissions', 'Role'),
  'held_memberships.role': from('permissions', 'Role'),
  'memberships.role': from('permissions', 'Role'),
  'user_tokens.kind': plain("'minted' | 'oauth'"),
  'user_tokens.preset': from('permissions', 'TokenPreset'),
  'user_tokens.scope_kind': plain("'full' | 'scoped'"),
  'project_statuses.type': from('states', 'StatusType'),
  'project_resources.permission': plain("'rw' | 'ro'"),
  'runner_resources.state': plain("'usable' | 'missing' | 'unreadable' | 'not_a_repository'"),
  'missions.priority': plain("'low' | 'normal' | 'high' | 'urgent'"),
  'objectives.state': from('states', 'ObjectiveState'),
  'objectives.prior_state': from('states', 'NotStartedState'),
  'objectives.last_outcome': from('states', 'LastOutcome'),
  'objectives.need': plain("'awaiting_approval' | 'stopped'"),
  'execution_requests.kind': plain("'run' | 'resume'"),
  'execution_requests.status': from('states', 'RequestStatus'),
  'execution_requests.outcome': from('states', 'RunOutcome'),
  'execution_requests.source': from('states', 'RequestSource'),
  'run_queues.pause_reason': from('run-queue', 'PauseReason'),
  'run_queue_entries.state': from('run-queue', 'EntryState'),
  'run_queue_entries.reason': from('run-queue', 'EntryReason'),
  'agent_sessions.phase': plain("'execute' | 'review'"),
  'agent_sessions.status': from('states', 'SessionStatus'),
  'agent_sessions.end_reason': from('states', 'SessionEndReason'),
  'questions.status': from('states', 'QuestionStatus'),
  'changed_files.vcs_status': plain(
    "'added' | 'modified' | 'deleted' | 'renamed' | 'copied' | 'untracked'",
  ),
  'mission_events.actor_role': plain("'person' | 'agent' | 'runner' | 'service'"),
  'shared_state.set_by_role': plain("'person' | 'agent'"),
  'audit_trail.action': from('audit', 'AuditAction'),
  'webhook_subscriptions.payload_mode': from('webhook-subscription', 'PayloadMode'),
  'webhook_subscriptions.disabled_reason': from('webhook-subscription', 'DisabledReason'),
  'webhook_bodies.mode': from('webhook-subscription', 'PayloadMode'),
  'webhook_deliveries.kind': plain("'event' | 'ping'"),
  'webhook_deliveries.mode': from('webhook-subscription', 'PayloadMode'),
  'webhook_deliveries.state': from('webhook-subscription', 'WebhookDeliveryState'),
  'webhook_deliveries.resent_from': from('webhook-subscription', 'SettledState'),
  'webhook_attempts.mode': from('webhook-subscription', 'PayloadMode'),
  'webhook_attempts.trigger': from('webhook-subscription', 'AttemptTrigger'),
  'webhook_attempts.outcome': from('webhook-subscription', 'AttemptOutcome'),
}
