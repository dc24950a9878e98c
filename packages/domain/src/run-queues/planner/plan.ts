import { isServiceError } from '@svc/contracts/errors'
import { type EntryReason, entryReasons } from '@svc/contracts/run-queue'
import { type StatusType, isClosed } from '@svc/contracts/states'
import type { ObjectiveRow, ProjectResourceRow } from '@svc/db/tables'
import { type Budgeted, judgeBudget } from '../../entities/objectives/launch-budget.ts'
import {
  type Before,
  type LaunchChoice,
  inheritChoice,
} from '../../entities/objectives/launch-config.ts'
import { chooseTarget } from '../../entities/objectives/launch-target.ts'
import {
  type Entry,
  type Queue,
  hasTurn,
  inFlight,
  putOff,
  wait,
} from '../../entities/run-queues/queue.ts'

/** What decides of one entry whether it could be launched now. */
export interface EntryFacts {
  objective: Pick<
    ObjectiveRow,
    'blank' | 'assigned_agent' | 'model' | 'reasoning_effort' | 'resource_key'
  >
  /** The type of its mission's status. */
  statusType: StatusType
  /** The objective that holds the mission's one slot. */
  busyWith: string | null
  /** The last delivered run of its mission, which it inherits from. */
  before: Before | undefined
  /** What bounds its mission. */
  budgeted: Budgeted
  /** On whose behalf it would be launched may launch. */
  may: boolean
}

export interface Facts {
  entries: ReadonlyMap<string, EntryFacts>
  resources: readonly Resource[]
  /** The agents that have said what they cost, of those for which that decides. */
  telling: ReadonlySet<string>
}
type Resource = ProjectResourceRow & { connected: boolean }

export interface Plan {
  /** With what each entry waits for now. */
  queue: Queue
  next: { entry: Entry; choice: LaunchChoice } | undefined
}

type Verdict = { choice: LaunchChoice } | { reason: EntryReason; on?: Entry['waiting_on'] }

/**
 * What is to be launched, and why the others are not: a turn that a person granted comes first; else, where an advance
 * is pending, the first entry that passes. Nothing while it is paused or one is in flight. Decision 35.
 */
export function planQueue(queue: Queue, facts: Facts): Plan {
  if (queue.row.paused_at !== null || inFlight(queue)) return { queue, next: undefined }
  const choices = new Map<string, LaunchChoice>()
  let judged = queue
  for (const entry of queue.entries) {
    const known = facts.entries.get(entry.id)
    if (!known || !isJudged(entry)) continue
    const verdict = judge(known, facts)
    if ('choice' in verdict) choices.set(entry.id, verdict.choice)
    judged =
      'choice' in verdict
        ? wait(judged, entry.id)
        : putOff(judged, entry.id, verdict.reason, verdict.on)
  }
  const isAdvancePending = judged.row.advance_pending_since !== null
  const passing = judged.entries.filter((one) => choices.has(one.id))
  const entry = passing.find(hasTurn) ?? (isAdvancePending ? passing[0] : undefined)
  const choice = entry && choices.get(entry.id)
  return { queue: judged, next: entry && choice && { entry, choice } }
}

/** What only a person's retry ends is not judged again. */
function isJudged({ state, reason }: Entry): boolean {
  if (state === 'waiting') return true
  return state === 'held' && reason !== null && entryReasons[reason].ends === 'person'
}

/** The refusals of a launch in their order. */
function judge(facts: EntryFacts, { resources, telling }: Omit<Facts, 'entries'>): Verdict {
  if (!facts.may) return { reason: 'forbidden' }
  if (facts.objective.blank) return { reason: 'no_instruction' }
  const choice = inheritChoice(facts.objective, facts.before)
  if (!choice) return { reason: 'no_agent' }
  if (isClosed(facts.statusType)) return { reason: 'mission_closed' }
  if (facts.busyWith !== null) {
    return { reason: 'mission_busy', on: { type: 'objective', id: facts.busyWith } }
  }
  const { agent } = choice
  const reason = judgeBudget(facts.budgeted, { agent, tellsCost: telling.has(agent) })
  if (reason) return { reason }
  return judgeTarget(facts, resources) ?? { choice }
}

function judgeTarget(
  { objective }: EntryFacts,
  resources: readonly Resource[],
): Verdict | undefined {
  const target = findTarget(objective, resources)
  if (target === 'unclear') return { reason: 'no_resource' }
  if (!target) return undefined
  if (target.permission === 'ro') return { reason: 'resource_read_only' }
  const on = { type: 'resource', id: target.resource_key } as const
  const connected = resources.some(
    (one) => one.resource_key === target.resource_key && one.connected,
  )
  return connected ? undefined : { reason: 'resource_not_connected', on }
}

function findTarget(objective: EntryFacts['objective'], resources: readonly Resource[]) {
  try {
    return chooseTarget(resources, objective, undefined)
  } catch (error) {
    if (isServiceError(error)) return 'unclear'
    throw error
  }
}

/** Why an entry waits, by the code with which its launch was refused: facts may have changed since the plan was made. */
const reasonOfRefusal: Readonly<Record<string, EntryReason>> = {
  objective_blank: 'no_instruction',
  objective_not_launchable: 'mission_closed',
  mission_busy: 'mission_busy',
  budget_exhausted: 'budget_exhausted',
  budget_unknown_cost: 'budget_unknown_cost',
  resource_read_only: 'resource_read_only',
  resource_not_connected: 'resource_not_connected',
  validation_failed: 'no_resource',
}

export function reasonOf(code: string): EntryReason | undefined {
  return reasonOfRefusal[code]
}
