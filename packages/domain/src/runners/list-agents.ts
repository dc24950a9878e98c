import type { KnownAgent } from '@svc/contracts/known-agent'
import { limits } from '@svc/contracts/limits'
import type { RouteOutput } from '@svc/contracts/rest'
import type { Runner } from '@svc/contracts/runner'
import type { Queryable } from '@svc/db/database'
import { sql } from 'kysely'
import { authorize, whereVisibleTo } from '../access/authorize.ts'
import type { Actor } from '../common/actor.ts'
import { selectNewestRuns, visibleRuns } from '../entities/execution-requests/newest-runs.ts'
import { listRunnerViews } from '../entities/runners/queries.ts'
import type { UseCase } from '../use-case.ts'

/** So many of the newest runs, and so many projects, are looked at for what they were made with. */
const lookedAt = limits.pageItemsMax

/** What a launch may be made with here, as far as anybody has said. */
export async function listAgents(
  { domain: { db } }: UseCase,
  actor: Actor,
): Promise<RouteOutput<'listAgents'>> {
  authorize(actor, 'project:read')
  const [runners, used, set] = await Promise.all([
    listRunnerViews(db, actor.workspaceId),
    actor.permissions.has('mission:read') ? recentlyUsed(db, actor) : [],
    setByProjects(db, actor),
  ])
  return { agents: knownAgents(runners, [...used, ...set]) }
}

/** An agent with a model or an effort that it was, or is to be, started with. */
interface Choice {
  agent: string
  model: string | null
  effort: string | null
}

/** The newest first. */
async function recentlyUsed(db: Queryable, actor: Actor): Promise<Choice[]> {
  const newest = selectNewestRuns(actor.workspaceId, visibleRuns(actor, {}), { limit: lookedAt })
  const { rows } = await sql<Choice>`
    select run.agent, run.config -> 'model' ->> 'value' as model,
           run.config -> 'reasoningEffort' ->> 'value' as effort
      from (${newest}) run order by run.seq desc`.execute(db)
  return rows
}

async function setByProjects(db: Queryable, actor: Actor): Promise<Choice[]> {
  const { rows } = await sql<Choice>`
    select own.key as agent, own.value ->> 'model' as model, own.value ->> 'reasoningEffort' as effort
      from (select id, agent_settings from projects
             where workspace_id = ${actor.workspaceId} and agent_settings <> '{}'
               and ${whereVisibleTo(actor, { projectId: sql`id` })}
             order by id desc limit ${lookedAt}) p
     cross join lateral jsonb_each(p.agent_settings) own
     order by p.id desc, own.key`.execute(db)
  return rows
}

/** Those that a runner has come first. */
function knownAgents(runners: readonly Runner[], choices: readonly Choice[]): KnownAgent[] {
  const had = runners.flatMap(({ agents, heldAgents }) => [
    ...agents,
    ...heldAgents.map(({ key }) => key),
  ])
  const named = choices.map(({ agent }) => agent)
  const keys = new Set([...had.toSorted(), ...named.toSorted()])
  const chosen = Map.groupBy(choices, ({ agent }) => agent)
  return [...keys].slice(0, limits.pageItemsMax).map((key) => {
    const own = chosen.get(key) ?? []
    return {
      key,
      models: someOf(own.map(({ model }) => model)),
      efforts: someOf(own.map(({ effort }) => effort)),
      runners: runners.filter(({ agents }) => agents.includes(key)).map(nameOf),
      heldBy: runners.flatMap((runner) =>
        runner.heldAgents
          .filter((held) => held.key === key)
          .map(({ reason, until }) => ({ ...nameOf(runner), reason, until })),
      ),
    }
  })
}

function nameOf({ id, label, state }: Runner): KnownAgent['runners'][number] {
  return { id, label, state }
}

/** Each once, in their order. */
function someOf(values: readonly (string | null)[]): string[] {
  const given = values.filter((value) => value !== null)
  return [...new Set(given)].slice(0, limits.pageItems)
}
