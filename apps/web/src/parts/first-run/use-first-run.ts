import type { Objective } from '@svc/contracts/objective'
import type { Project } from '@svc/contracts/project'
import { isDemonstration } from '@svc/contracts/demonstration'
import { useRead } from '../../data/reads.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { lacksAgent } from '../../words/runners.ts'
import { runners } from '../runner/reads.ts'
import { mission, missions, projects, resources } from './reads.ts'
import { type Step, stepsOf } from './steps.ts'

export interface FirstRun {
  steps: Step[]
  project: Project | undefined
  missionId: string | undefined
  /** The first that says what is to be done. */
  objective: Pick<Objective, 'displayId'> | undefined
  /** A runner is here, and offers no agent. */
  isWithoutAgent: boolean
}

/**
 * Undefined as long as it is not known, and once the workspace is past its first mission. A workspace without a project
 * costs no read but that of its projects, and one that is past it one more. The demonstration is nobody's first mission:
 * next to it the one project of somebody's own is what counts, and next to several the whole workspace. Decision 151.
 */
export function useFirstRun(): FirstRun | undefined {
  const { rights } = useWorkspace()
  const mayBegin = rights.mayCall('createMission') && rights.mayCall('listRunners')
  const all = useRead(projects, {}, { enabled: mayBegin })
  const own = all.data?.projects.filter((one) => !isDemonstration(one)) ?? []
  const [one, ...others] = own
  const hasProject = one !== undefined
  const of = one !== undefined && others.length === 0 ? { projectId: one.id } : {}
  const delivered = useRead(
    missions,
    { ...of, statusTypes: 'review,complete', limit: 2 },
    { enabled: hasProject },
  )
  const ended = delivered.data?.missions
  const isPast =
    ended === undefined || ended.length > 1 || ended.some(({ phase }) => phase === 'complete')
  const enabled = hasProject && !isPast
  const newest = useRead(missions, { ...of, limit: 1 }, { enabled })
  const first = ended?.[0] ?? newest.data?.missions[0]
  const whole = useRead(
    mission,
    { id: first?.id ?? '', instructionCharacters: 200 },
    { enabled: enabled && first !== undefined },
  )
  const project = own.find(({ id }) => id === first?.projectId) ?? one
  const known = useRead(runners, {}, { enabled })
  const linked = useRead(resources, { id: project?.id ?? '' }, { enabled })
  if (!mayBegin || all.data === undefined || (hasProject && isPast)) return undefined
  const isKnown =
    newest.data && known.data && linked.data && (first === undefined || whole.data !== undefined)
  if (hasProject && !isKnown) return undefined
  const objectives = whole.data?.objectives ?? []
  const steps = stepsOf({
    project,
    runners: known.data?.runners ?? [],
    resources: linked.data?.resources ?? [],
    mission: first,
    objectives,
  })
  return {
    steps,
    project,
    missionId: first?.displayId,
    objective: objectives.find(({ instruction }) => instruction.trim() !== ''),
    isWithoutAgent: known.data?.runners.some(lacksAgent) ?? false,
  }
}
