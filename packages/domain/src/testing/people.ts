import type { ExecutionRequest } from '@svc/contracts/execution-request'
import type { Mission, MissionEvent } from '@svc/contracts/mission'
import type { Objective } from '@svc/contracts/objective'
import type { TokenPreset } from '@svc/contracts/permissions'
import type { Question } from '@svc/contracts/question'
import type { RouteOutput, RouteRequest } from '@svc/contracts/rest'
import type { Domain } from '../domain.ts'
import { type Caller, callerWith } from './caller.ts'

type Identified = { id: string }
type LaunchChoice = Omit<RouteRequest<'launchObjective'>, 'id'>

export interface Person extends Caller {
  launch(
    objective: Identified,
    choice?: Partial<LaunchChoice>,
  ): Promise<RouteOutput<'launchObjective'>>
  resume(objective: Identified): Promise<RouteOutput<'resumeObjective'>>
  /** Of one mission, the newest first. */
  requestsOf(mission: Identified): Promise<ExecutionRequest[]>
  request(request: Identified): Promise<ExecutionRequest>
  /** Of one mission, the newest first. */
  questionsOf(mission: Identified): Promise<Question[]>
  answer(question: string, text?: string): Promise<RouteOutput<'answerQuestion'>>
  objective(objective: Identified): Promise<Objective>
  mission(mission: Identified): Promise<Mission & { objectives: Objective[] }>
  eventsOf(mission: Identified): Promise<MissionEvent[]>
  /** The same person with a token minted by the present one. */
  withToken(order: Omit<RouteRequest<'createUserToken'>, 'label'>): Promise<Person>
  withPreset(preset: TokenPreset): Promise<Person>
}

export const scripted = 'scripted'

export function personWith(domain: Domain, token: string): Person {
  const caller = callerWith(domain, token)
  const { call } = caller
  const withToken: Person['withToken'] = async (order) => {
    const minted = await call('createUserToken', { label: 'minted', ...order })
    return personWith(domain, minted.token)
  }
  return {
    ...caller,
    launch: ({ id }, choice) => call('launchObjective', { id, agent: scripted, ...choice }),
    resume: ({ id }) => call('resumeObjective', { id }),
    requestsOf: async ({ id }) =>
      (await call('listExecutionRequests', { missionId: id, limit: 200 })).executionRequests,
    request: async ({ id }) => (await call('getExecutionRequest', { id })).executionRequest,
    questionsOf: async ({ id }) => (await call('listQuestions', { missionId: id })).questions,
    answer: (id, text = 'Spaces.') => call('answerQuestion', { id, text }),
    objective: async ({ id }) => (await call('getObjective', { id })).objective,
    mission: async ({ id }) => {
      const { mission, objectives } = await call('getMission', { id })
      return { ...mission, objectives }
    },
    eventsOf: async ({ id }) => (await call('listMissionEvents', { id, limit: 200 })).events,
    withToken,
    withPreset: (preset) => withToken({ preset }),
  }
}
