import { describeHold, describeLimit, isAgentLimit } from '@svc/contracts/agent-limit'
import {
  type Candidate,
  type CandidateReason,
  candidateReasons,
} from '@svc/contracts/launch-forecast'
import { limits } from '@svc/contracts/limits'
import type { CheckoutState } from '@svc/contracts/runner'
import type { Queryable } from '@svc/db/database'
import type { ExecutionRequestRow, RunnerRow } from '@svc/db/tables'
import { sql } from 'kysely'
import { isConnected, viewRunner } from '../runners/queries.ts'
import { fitsBy, readyBy, whatItHas } from './takeable.ts'

/** A request that is queued, or one that a launch would queue. */
export type Wanted = Pick<
  ExecutionRequestRow,
  | 'workspace_id'
  | 'project_id'
  | 'mission_id'
  | 'objective_id'
  | 'resource_key'
  | 'only_runner'
  | 'only_device'
  | 'waits'
> & {
  /** Null: whichever. */
  agent: string | null
}

interface Judged extends RunnerRow {
  connected: boolean
  fits_project: boolean
  fits_name: boolean
  fits_agent: boolean
  fits_resource: boolean
  is_machine: boolean
  is_past_wait: boolean
  is_branch_free: boolean
  /** What it reports of its checkout of the resource; null where it has none. */
  checkout: CheckoutState | null
}

/** Each runner of the workspace by the rules of the claim, those that could take it first. */
export async function judgeRunners(db: Queryable, wanted: Wanted): Promise<Candidate[]> {
  const fits = fitsBy('e')
  const ready = readyBy(sql.ref('r.id'))
  const { rows } = await sql<Judged>`
    with e as (
      select ${wanted.workspace_id}::uuid as workspace_id, ${wanted.project_id}::uuid as project_id,
             ${wanted.mission_id}::uuid as mission_id, ${wanted.objective_id}::uuid as objective_id,
             ${wanted.agent}::text as agent, ${wanted.resource_key}::text as resource_key,
             ${wanted.only_runner}::text as only_runner, ${wanted.only_device}::text as only_device,
             ${JSON.stringify(wanted.waits)}::jsonb as waits)
    select r.*, ${isConnected('r')} as connected,
           ${fits.project} as fits_project, ${fits.name} as fits_name, ${fits.resource} as fits_resource,
           (e.agent is null or ${fits.agent}) as fits_agent,
           ${ready.machine} as is_machine, ${ready.wait} as is_past_wait, ${ready.branch} as is_branch_free,
           (select rr.state from runner_resources rr
             where rr.workspace_id = r.workspace_id and rr.runner_id = r.id
               and rr.project_id = e.project_id and rr.resource_key = e.resource_key) as checkout
      from e
     cross join lateral (
       select * from runners
        where workspace_id = e.workspace_id and removed_at is null
        order by last_heard_at desc limit ${limits.pageItemsMax}) r
     cross join lateral (
       select r.workspace_id, r.project_ids as projects, ${whatItHas(sql`r.agents`)}) c
     order by r.last_heard_at desc`.execute(db)
  const judged = rows.map((row) => viewCandidate(row, wanted))
  return [...judged.filter(({ able }) => able), ...judged.filter(({ able }) => !able)]
}

function viewCandidate(row: Judged, wanted: Wanted): Candidate {
  const found = reasonsFor(row, wanted)
  const lasting = found.filter(({ code }) => !candidateReasons[code].passes)
  const able = lasting.length === 0
  return { runner: viewRunner(row), able, reasons: able ? found : lasting }
}

type Reason = Candidate['reasons'][number]

function reasonsFor(row: Judged, wanted: Wanted): Reason[] {
  const { agent, resource_key: resource, only_runner: name, waits } = wanted
  const held = row.held_agents.find(({ key }) => key === agent)
  const wait = waits[row.id]
  const { running, max } = row.capacity
  const heard = row.last_heard_at.toISOString()
  const isHeld = !row.fits_agent && held !== undefined
  const reasons: (Reason | false)[] = [
    !row.connected && reason('away', `It was last heard of at ${heard}.`),
    !row.fits_name && reason('other_name', `The launch asks for a runner that is called ${name}.`),
    !row.fits_project && reason('other_project', 'It takes nothing of this project.'),
    !row.fits_agent && !held && reason('no_agent', `It does not offer the agent ${agent}.`),
    !row.fits_resource && reason('no_checkout', checkoutSentence(resource, row.checkout)),
    !row.is_machine && reason('other_machine', 'The run goes on where it ran, on another machine.'),
    isHeld &&
      reason('agent_held', `It holds ${describeHold({ agent: held.key, ...held })}.`, held.until),
    !row.is_past_wait && wait !== undefined && reason('gave_back', waitSentence(wait), wait.until),
    !row.is_branch_free &&
      reason('branch_in_use', "A run of another runner on the mission's branch has not ended yet."),
    running >= max && reason('busy', `It carries ${running} of ${max} runs.`),
  ]
  return reasons.filter((one) => one !== false)
}

function reason(code: CandidateReason, message: string, until: string | null = null): Reason {
  return { code, message, until }
}

const checkoutWords: Readonly<Record<Exclude<CheckoutState, 'usable'>, string>> = {
  missing: 'is missing',
  unreadable: 'cannot be read',
  not_a_repository: 'is no Git repository',
}

function checkoutSentence(resource: string | null, state: CheckoutState | null): string {
  if (state === null || state === 'usable') return `It has no checkout of ${resource}.`
  return `Its checkout of ${resource} ${checkoutWords[state]}.`
}

function waitSentence({ reason: why, until }: ExecutionRequestRow['waits'][string]): string {
  const what = isAgentLimit(why) ? describeLimit(why) : why.replaceAll('_', ' ')
  return `It gave this run back (${what}) and tries it again at ${until}.`
}
