import type { Mission } from '@svc/contracts/mission'
import type { Objective } from '@svc/contracts/objective'
import type { Project } from '@svc/contracts/project'
import type { Usage } from '@svc/contracts/usage'
import type { World } from '@svc/domain/testing/open-world'
import type { TestRunner } from '@svc/domain/testing/runner'
import { sql } from 'kysely'

/** What runs have used and came to, as its page is best looked at. */
export interface ShownUsage {
  project: Project
  runner: TestRunner
  /** Its budget is used up, and its second objective has not begun. */
  spent: { mission: Mission; next: Objective }
  /** Some of its budget is left. */
  left: Mission
}

export interface EndedRun {
  agent: string
  model?: string
  weeksAgo?: number
  end: 'delivered' | 'exited' | 'cancelled' | 'failed'
  usage?: Usage
}

/** Several agents, models, weeks and ends, and some of which nothing is known. */
const runs: readonly EndedRun[] = [
  { agent: 'claude', model: 'large', end: 'delivered', usage: used('1.25', 210_000, 14_000) },
  { agent: 'claude', model: 'large', end: 'delivered', usage: used('0.5', 90_000, 4_000) },
  { agent: 'claude', weeksAgo: 1, end: 'exited', usage: used('0.75', 80_000, 2_000) },
  { agent: 'claude', weeksAgo: 3, end: 'cancelled', usage: { usd: '0.125' } },
  { agent: 'codex', end: 'delivered' },
  { agent: 'codex', weeksAgo: 2, end: 'exited' },
  { agent: 'codex', weeksAgo: 2, end: 'delivered', usage: { inputTokens: 41_000 } },
  { agent: 'scripted', weeksAgo: 3, end: 'failed' },
]

function used(usd: string, inputTokens: number, outputTokens: number): Usage {
  return { usd, inputTokens, outputTokens }
}

const shownToAll = new WeakMap<World, Promise<ShownUsage>>()

/** The same for all who only look at it. */
export function usageToLookAt(world: World): Promise<ShownUsage> {
  const known = shownToAll.get(world) ?? makeUsage(world)
  shownToAll.set(world, known)
  return known
}

export async function makeUsage(world: World): Promise<ShownUsage> {
  const { alice } = world
  const { project } = await alice.call('createProject', { name: 'Counter' })
  const agents = ['claude', 'codex', 'scripted']
  const runner = await world.connectedRunner(project, { label: 'bench', agents })
  const { mission } = await world.missionWith([], {
    project,
    title: 'Checkout',
    allowParallelObjectives: true,
  })
  for (const run of runs) await endRun(world, { mission, runner, run })
  const withBudget = async (title: string, budget: { usd?: string; runs?: number }) => {
    const made = await world.missionWith(['First pass', 'Second pass'], { project, title })
    const [first, next] = made.mission.objectives
    const { agent, lease } = await world.attachedRun(first, runner)
    await agent.deliver()
    await runner.exited(lease, { usage: used('0.4', 30_000, 1_000) })
    await alice.call('updateMission', { id: made.mission.id, budget })
    return { mission: made.mission, next }
  }
  const spent = await withBudget('Rewrite the cart', { usd: '0.4', runs: 3 })
  const left = await withBudget('Search by colour', { usd: '5' })
  return { project, runner, spent, left: left.mission }
}

interface Ending {
  mission: { id: string }
  runner: TestRunner
  run: EndedRun
}

/** One more run of that mission, launched so many weeks ago, from its launch to its end. */
export async function endRun(world: World, { mission, runner, run }: Ending): Promise<void> {
  const { agent: key, model, weeksAgo = 0, end, usage } = run
  const { objectives } = await world.alice.call('addObjectives', {
    id: mission.id,
    objectives: [{ instruction: 'Go on.' }],
  })
  const id = objectives.at(-1)?.id ?? ''
  await world.alice.launch({ id }, { agent: key, ...(model !== undefined && { model }) })
  const lease = await runner.take()
  // so that it counts for the week in which it was launched
  await sql`
    update execution_requests set created_at = created_at - make_interval(weeks => ${weeksAgo}::int)
     where id = ${lease.id}`.execute(world.domain.db)
  await runner.launching(lease)
  await runner.launched(lease)
  if (end !== 'failed') {
    const agent = runner.agent(lease)
    await agent.attach()
    if (end === 'delivered') await agent.deliver()
  }
  if (end === 'cancelled') await world.alice.call('cancelObjective', { id })
  const cause = end === 'cancelled' ? 'cancelled' : 'agent'
  await runner.exited(lease, { cause, ...(usage && { usage }) })
}
