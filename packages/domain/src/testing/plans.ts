import type { Mission } from '@svc/contracts/mission'
import type { Objective } from '@svc/contracts/objective'
import type { Project } from '@svc/contracts/project'
import type { RouteRequest } from '@svc/contracts/rest'
import type { Caller } from './caller.ts'

/** What carries calls: a caller of the domain, or a client of a service that runs. */
export type Calls = Pick<Caller, 'call'>

export type Resource = Omit<RouteRequest<'linkProjectResource'>, 'id'>

export interface MissionSetUp extends Partial<
  Omit<RouteRequest<'createMission'>, 'projectId' | 'objectives'>
> {
  /** One of its own when left out, with these resources. */
  project?: Project
  resources?: readonly Resource[]
}

export interface TestMission<Steps extends readonly string[]> extends Mission {
  /** One for each instruction given, in their order. */
  objectives: { [Index in keyof Steps]: Objective }
}

export async function projectWith(
  { call }: Calls,
  resources: readonly Resource[] = [],
): Promise<Project> {
  const { project } = await call('createProject', { name: nextName('project') })
  for (const resource of resources)
    await call('linkProjectResource', { id: project.id, ...resource })
  return project
}

/** A mission with an objective for each instruction. */
export async function missionWith<const Steps extends readonly string[]>(
  caller: Calls,
  instructions: Steps,
  { project: given, resources, ...rest }: MissionSetUp = {},
): Promise<{ project: Project; mission: TestMission<Steps> }> {
  const project = given ?? (await projectWith(caller, resources))
  const { mission, objectives } = await caller.call('createMission', {
    projectId: project.id,
    title: 'A mission',
    objectives: instructions.map((instruction) => ({ instruction })),
    ...rest,
  })
  // the service answers as many objectives as it was given instructions
  return { project, mission: { ...mission, objectives: objectives as never } }
}

let named = 0

/** No two of a process are the same. */
export function nextName(prefix: string): string {
  named += 1
  return `${prefix}-${named}`
}
