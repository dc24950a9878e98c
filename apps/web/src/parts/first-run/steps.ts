import type { Mission } from '@svc/contracts/mission'
import type { Objective } from '@svc/contracts/objective'
import type { Project, ProjectResource } from '@svc/contracts/project'
import type { Runner } from '@svc/contracts/runner'
import { objectiveStates } from '../../data/contracts.values.ts'
import { lacksAgent } from '../../words/runners.ts'

export type StepName =
  | 'project'
  | 'runner'
  | 'repository'
  | 'mission'
  | 'launch'
  | 'watch'
  | 'review'

/** What of a workspace its first steps are told by; undefined is what it has none of. */
export interface Known {
  project?: Pick<Project, 'slug' | 'name'> | undefined
  runners: readonly (Pick<Runner, 'label' | 'state' | 'agents'> &
    Partial<Pick<Runner, 'heldAgents'>>)[]
  resources: readonly Pick<ProjectResource, 'resourceKey' | 'state' | 'permission'>[]
  mission?: Pick<Mission, 'displayId' | 'phase'> | undefined
  objectives: readonly Pick<Objective, 'displayId' | 'state' | 'instruction'>[]
}

export interface Step {
  name: StepName
  title: string
  isDone: boolean
  /** What it has come to, where there is something. */
  detail?: string | undefined
}

type Row = Omit<Step, 'isDone'> & {
  isDone: boolean
  /** Once an objective was delivered nobody needs it any more, though it may have gone since. */
  until?: 'delivered'
}

/** How far a workspace is on its way to its first delivery, by nothing but what the service says of it. */
export function stepsOf(known: Known): Step[] {
  const isDelivered = known.objectives.some(({ state }) => state === 'complete')
  return rowsOf(known).map(({ until, ...step }) => ({
    ...step,
    isDone: step.isDone || (until === 'delivered' && isDelivered),
  }))
}

function rowsOf({ project, runners, resources, mission, objectives }: Known): Row[] {
  const here = runners.filter(({ state }) => state === 'connected')
  const runner = here.find((one) => !lacksAgent(one))
  const repository = resources.find(
    ({ permission, state }) => permission === 'rw' && state === 'connected',
  )
  const launched = objectives.find(({ state }) => objectiveStates[state].started)
  return [
    {
      name: 'project',
      title: 'Make a project',
      isDone: project !== undefined,
      detail: project?.name,
    },
    {
      name: 'runner',
      title: 'Start a runner',
      isDone: runner !== undefined,
      detail: describeRunner(runner ?? here[0] ?? runners[0]),
      until: 'delivered',
    },
    {
      name: 'repository',
      title: 'Link a repository',
      isDone: repository !== undefined,
      detail: describeResource(repository ?? resources[0]),
      until: 'delivered',
    },
    {
      name: 'mission',
      title: 'Write a mission',
      isDone: objectives.some(({ instruction }) => instruction.trim() !== ''),
      detail: mission?.displayId,
    },
    {
      name: 'launch',
      title: 'Launch its objective',
      isDone: launched !== undefined,
      detail: launched?.displayId,
    },
    {
      name: 'watch',
      title: 'Watch it until it delivers',
      isDone: objectives.some(({ state }) => state === 'complete'),
    },
    { name: 'review', title: 'Review what it brought', isDone: mission?.phase === 'complete' },
  ]
}

function describeRunner(runner: Known['runners'][number] | undefined): string | undefined {
  if (runner === undefined) return undefined
  const { label, state, agents } = runner
  if (state !== 'connected') return `${label} is not connected`
  if (lacksAgent(runner)) return `${label} is here and offers no agent`
  return agents.length === 0
    ? `${label}, whose agents are held`
    : `${label}, with ${agents.join(', ')}`
}

function describeResource(resource: Known['resources'][number] | undefined): string | undefined {
  if (resource === undefined) return undefined
  const { resourceKey, state } = resource
  return state === 'connected' ? resourceKey : `${resourceKey} is linked, and no runner has it yet`
}
