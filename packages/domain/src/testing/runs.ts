import type { Domain } from '../domain.ts'
import type { Agent } from './agent.ts'
import type { Person } from './people.ts'
import { type Lease, type RunnerSetUp, type TestRunner, runnerWith } from './runner.ts'

/** How far a run has come; each stands for those before it, too. */
const stages = ['claimed', 'launching', 'launched', 'attached'] as const
export type RunStage = (typeof stages)[number]

/** What was claimed, and the process that is started for it. */
export interface Run {
  runner: TestRunner
  lease: Lease
  agent: Agent
}

/** A runner of this person's that has been heard of; it takes requests of this project alone. */
export async function connectedRunner(
  domain: Domain,
  owner: Person,
  { projectId, ...rest }: Omit<RunnerSetUp, 'projectIds'> & { projectId: string },
): Promise<TestRunner> {
  const { token } = await owner.withPreset('runner')
  const runner = runnerWith(domain, token, { projectIds: [projectId], ...rest })
  await runner.claim({ projectIds: [] })
  return runner
}

/** Launched by this person, taken by the runner, and brought as far as is said. */
export async function runUpTo(
  stage: RunStage,
  person: Person,
  { objective, runner, branch }: { objective: { id: string }; runner: TestRunner; branch?: string },
): Promise<Run> {
  const isReached = (other: RunStage) => stages.indexOf(other) <= stages.indexOf(stage)
  await person.launch(objective)
  const lease = await runner.take()
  const agent = runner.agent(lease)
  if (isReached('launching')) await runner.launching(lease, branch)
  if (isReached('launched')) await runner.launched(lease)
  if (isReached('attached')) await agent.attach()
  return { runner, lease, agent }
}
