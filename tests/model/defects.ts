import type { Mistake } from './plant.ts'

/** A mistake that somebody could make in one place of the product: the harness must see it. */
export interface Defect extends Mistake {
  /** What is expected to notice, whichever comes first. */
  noticedBy: readonly string[]
  /** Races many callers in place of playing sequences: one caller at a time would not see it. */
  races?: true
}

const domain = 'packages/domain/src'

export const defects: readonly Defect[] = [
  {
    name: 'claim by read, then write',
    file: `${domain}/execution-requests/claim.ts`,
    text: 'limit 1 for no key update skip locked) e',
    replacement: 'limit 1) e',
    noticedBy: ['I-03'],
    races: true,
  },
  {
    name: 'no SKIP LOCKED',
    file: `${domain}/execution-requests/claim.ts`,
    text: 'limit 1 for no key update skip locked) e',
    replacement: 'limit 1 for no key update) e',
    noticedBy: ['I-03'],
    races: true,
  },
  {
    name: 'a runner takes work in a resource that it lacks',
    file: `${domain}/entities/execution-requests/takeable.ts`,
    text: "and (coalesce(${resource}, '') = '' or ${column('project_id')} || ' ' || ${resource} = any(c.checkouts))",
    replacement: '',
    noticedBy: ['I-03'],
  },
  {
    name: 'a launch in another resource counts as the same',
    file: `${domain}/launching/relaunch.ts`,
    text: 'one.resource_key === other.resource_key &&',
    replacement: '',
    noticedBy: ['launch'],
  },
  {
    name: 'no fence on reports',
    file: `${domain}/entities/execution-requests/lease.ts`,
    text: 'if (holdsLease(keys, request, token)) return',
    replacement: 'if (holdsLease(keys, request, token) || true) return',
    noticedBy: ['foreseen'],
  },
  {
    name: 'attach ignores the generation',
    file: `${domain}/sessions/attach-request.ts`,
    text: 'named.generation === generation &&',
    replacement: '',
    noticedBy: ['foreseen'],
  },
  {
    name: 'calls of a superseded session go through',
    file: `${domain}/sessions/call.ts`,
    text: 'return session.execution_request_id === newest.id && session.generation === newest.generation',
    replacement: 'return true',
    noticedBy: ['foreseen'],
  },
  {
    name: 'no sweep of lapsed leases',
    file: `${domain}/sweep/sweep.ts`,
    text: 'await eachRequest(domain, leaseLapsed(domain), returnLapsed)',
    replacement: '',
    noticedBy: ['I-19'],
  },
  {
    name: 'the sweep takes a run with a session',
    file: `${domain}/sweep/sweep.ts`,
    text: `and not exists (select from agent_sessions s
                     where s.workspace_id = r.workspace_id and s.execution_request_id = r.id
                       and s.generation = r.generation)\``,
    replacement: '`',
    noticedBy: ['I-19', 'I-07', 'I-05', 'lifecycle'],
  },
  {
    name: 'a transition without its event',
    file: `${domain}/commit/outbox.ts`,
    text: "tx.pending.append('webhook_events', {",
    replacement: "if (event.type !== 'mission.blocked') tx.pending.append('webhook_events', {",
    noticedBy: ['I-09'],
  },
  {
    name: 'no savepoint around what follows a delivery',
    file: `${domain}/launching/advance.ts`,
    text: 'const launched = await savepoint(tx, () => launchNext(tx, facts, waiting))',
    replacement:
      'const launched = { ok: true as const, value: await launchNext(tx, facts, waiting), error: undefined }',
    noticedBy: ['I-23'],
  },
  {
    name: 'position off by one',
    file: `${domain}/objectives/add.ts`,
    text: 'position: count + index + 1,',
    replacement: 'position: count + index + 2,',
    noticedBy: ['I-15'],
  },
  {
    name: 'what has started does not move to the border',
    file: `${domain}/lifecycle/move-objective.ts`,
    text: 'const placed = changesSides ? await reposition(tx, moved) : moved',
    replacement: 'const placed = changesSides && to !== to ? await reposition(tx, moved) : moved',
    noticedBy: ['I-15'],
  },
  {
    name: 'the prior state is forgotten',
    file: `${domain}/lifecycle/move-objective.ts`,
    text: 'return isNotStarted(state) ? state : objective.prior_state',
    replacement: "return isNotStarted(state) ? 'draft' : objective.prior_state",
    noticedBy: ['prior state'],
  },
  {
    name: 'a live request is not reused',
    file: `${domain}/launching/launch.ts`,
    text: 'if (isLaunched && isSameChoice(live, wanted)) {',
    replacement: 'if (isLaunched && isSameChoice(live, wanted) && live.id === live.mission_id) {',
    noticedBy: ['launch', 'foreseen'],
  },
  {
    name: 'a repeated delivery delivers again',
    file: `${domain}/deliveries/deliver.ts`,
    text: 'if (known) return answerAgain(call, known)',
    replacement: '',
    noticedBy: ['foreseen'],
  },
  {
    name: 'a pending advance outlives those who waited for it',
    file: `${domain}/entities/run-queues/queue.ts`,
    text: 'isWaitedFor ? queue.row.advance_pending_since : null',
    replacement: 'queue.row.advance_pending_since',
    noticedBy: ['Q-09'],
  },
  {
    name: 'a cancel beats a delivery',
    file: `${domain}/deliveries/complete.ts`,
    text: "if (request.cancel_requested_at === null) return moveRequest(tx, 'deliver', request)",
    replacement:
      "if (request.cancel_requested_at === null) return moveRequest(tx, 'deliver', request)\n  else return moveRequest(tx, 'cancelRun', request)",
    noticedBy: ['lifecycle'],
  },
  {
    name: 'a launch looks at no budget',
    file: `${domain}/launching/launch.ts`,
    text: 'await refuseIfOverBudget(tx, mission, { agent: config.agent.value, replaces })',
    replacement: '',
    noticedBy: ['foreseen', 'I-31'],
  },
  {
    name: 'what a run used is not counted for its mission',
    file: `${domain}/lifecycle/count-run.ts`,
    text: "tx.pending.add('missions', { workspace_id, id: mission_id }, usedMore)",
    replacement: '',
    noticedBy: ['I-30'],
  },
  {
    name: 'a launch that no runner took stays counted',
    file: `${domain}/lifecycle/move-request.ts`,
    text: 'if (request.ended_at === null && isOverUntaken(written)) giveBackLaunch(tx, written)',
    replacement: '',
    noticedBy: ['I-30'],
  },
  {
    name: 'a busy mission takes another launch',
    file: `${domain}/launching/launch.ts`,
    text: 'refuseIfBusy(mission, objective, active)',
    replacement: '',
    // the index refuses it, and the caller gets a failure
    noticedBy: ['I-27'],
  },
  {
    name: 'an attach leaves nothing to start',
    file: `${domain}/sessions/attach.ts`,
    text: 'if (!future && !full) addNextDraft',
    replacement: 'if (!future && full) addNextDraft',
    noticedBy: ['I-07'],
  },
  {
    name: 'two sessions of one objective live',
    file: `${domain}/sessions/attach-session.ts`,
    text: 'if (!same && input.takeOver !== true) throw sessionActive(live, claimed)',
    replacement: '',
    noticedBy: ['foreseen'],
  },
  {
    name: 'a deletion ends a run that nobody has seen in its list',
    file: `${domain}/deletion/confirmation.ts`,
    text: 'if (confirm === true && runs.every((run) => running.includes(run))) return',
    replacement: 'if (confirm === true) return',
    noticedBy: ['foreseen'],
  },
  {
    name: 'the delivery of a run that is deleted is refused',
    file: `${domain}/deliveries/deliver.ts`,
    text: "if (isDeleted(call) && call.objective.state !== 'executing') {",
    replacement: 'if (isDeleted(call)) {',
    noticedBy: ['foreseen'],
  },
  {
    name: 'what is deleted stays in its queue',
    file: `${domain}/deletion/delete-objective.ts`,
    text: 'for (const one of named) await leaveQueue(tx, one)',
    replacement: '',
    noticedBy: ['Q-10'],
  },
  {
    name: 'a failed run lets its queue go on',
    file: `${domain}/run-queues/follow.ts`,
    text: 'const saved = await saveQueue(tx, queue, paused, became)',
    replacement: 'const saved = await saveQueue(tx, queue, after, became)',
    noticedBy: ['Q-13'],
  },
  {
    name: 'an answer does not wake a parked run',
    file: `${domain}/questions/answer.ts`,
    text: "const parked = run.request?.outcome === 'parked' ? run.request : undefined",
    replacement: "const parked = run.request?.outcome === 'lost' ? run.request : undefined",
    noticedBy: ['answer'],
  },
  {
    name: "a provider's limit costs an attempt",
    file: `${domain}/execution-requests/hold.ts`,
    text: 'costsAttempt: false,',
    replacement: 'costsAttempt: true,',
    noticedBy: ['hold'],
  },
  {
    name: 'what a limit ended goes on at once',
    file: `${domain}/execution-requests/resume.ts`,
    text: 'run_after: until, last_release',
    replacement: 'last_release',
    noticedBy: ['hold'],
  },
  {
    name: 'a limit ends the work of an attached agent',
    file: `${domain}/execution-requests/end.ts`,
    text: 'if (exit?.limit) return parkAtLimit(',
    replacement: 'if (exit?.limit && exit.exitCode === 0) return parkAtLimit(',
    noticedBy: ['hold'],
  },
  {
    name: 'a key is not kept',
    file: `${domain}/objectives/add.ts`,
    text: 'inTransaction(context, async (tx) => {',
    replacement: 'inTransaction({ domain: context.domain }, async (tx) => {',
    noticedBy: ['I-24', 'I-06'],
  },
  {
    name: 'what is gone on with runs on any machine',
    file: `${domain}/launching/launch.ts`,
    text: 'only_device: order.resumes ? await findDevice(tx, order.resumes) : null',
    replacement: 'only_device: null',
    noticedBy: ['R'],
  },
  {
    name: 'a revision is written over',
    file: `${domain}/artifacts/update.ts`,
    text: '.where(sql<boolean>`revision = ${input.expectedRevision}::bigint`)',
    replacement: '',
    noticedBy: ['I-17'],
  },
  {
    name: 'a delivery leaves the ledger as it was',
    file: `${domain}/deliveries/complete.ts`,
    text: 'if (call.hasBatches) await drainLedger(tx, call.objective, warnings)',
    replacement: '',
    noticedBy: ['I-08'],
  },
  {
    name: 'the first rationale of a path stays',
    file: `${domain}/sessions/rationales.ts`,
    text: "why: row.ref('excluded.why'),",
    replacement: '',
    noticedBy: ['I-08'],
  },
  {
    name: 'the first failure of a check is delivered',
    file: `${domain}/deliveries/judge-checks.ts`,
    text: 'const isLast = run.failures > 0 || reason !== undefined',
    replacement: 'const isLast = run.failures >= 0 || reason !== undefined',
    noticedBy: ['foreseen'],
  },
  {
    name: 'a delivery without a passed check starts what is next',
    file: `${domain}/launching/advance.ts`,
    text: "if (checks === null || checks.outcome === 'passed') return undefined",
    replacement: 'if (checks !== undefined) return undefined',
    noticedBy: ['checks', 'I-23'],
  },
]
