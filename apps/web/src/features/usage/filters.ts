import type { RouteRequest } from '@svc/contracts/rest'
import { firstDay } from './weeks.ts'

/** What is summed, as the query of the address says it. */
export interface Filters {
  /** A slug; empty: of all projects. */
  project: string
  weeks: Weeks
  /** Each model of an agent by itself. */
  withModels: boolean
  /** Whose weeks are shown; empty: those of all. */
  agent: string
  /** A model of that agent; `own`: those runs that were launched without one. */
  model: { name: string } | 'own' | undefined
}

export const weekChoices = [4, 13, 26, 52, 104] as const
export type Weeks = (typeof weekChoices)[number]
const usual: Weeks = 13

export function readFilters(search: string): Filters {
  const given = new URLSearchParams(search)
  const agent = given.get('agent') ?? ''
  const weeks = weekChoices.find((count) => String(count) === given.get('weeks')) ?? usual
  const model = given.get('model')
  return {
    project: given.get('project') ?? '',
    weeks,
    withModels: given.get('by') === 'model',
    agent,
    model: agent === '' || model === null ? undefined : model === '' ? 'own' : { name: model },
  }
}

export function searchOf({
  project,
  weeks,
  withModels,
  agent,
  model,
}: Filters): Record<string, string> {
  return {
    ...(project !== '' && { project }),
    ...(weeks !== usual && { weeks: String(weeks) }),
    ...(withModels && { by: 'model' }),
    ...(agent !== '' && { agent }),
    ...(agent !== '' && model && { model: model === 'own' ? '' : model.name }),
  }
}

/** A week in UTC each, and a row for every one of them fits on one page. */
const weeksAtOnce = 200
const agentsAtOnce = 50

export function requestForWeeks(filters: Filters, now: number): RouteRequest<'getUsage'> {
  const { agent, model } = filters
  return {
    ...common(filters, now),
    by: 'week',
    limit: weeksAtOnce,
    ...(agent !== '' && { agent }),
    ...(model === 'own' ? { ownModel: 'true' } : model && { model: model.name }),
  }
}

export function requestForAgents(filters: Filters, now: number): RouteRequest<'getUsage'> {
  const by = filters.withModels ? 'agent,model' : 'agent'
  return { ...common(filters, now), by, limit: agentsAtOnce }
}

function common({ project, weeks }: Filters, now: number) {
  return { since: firstDay(weeks, now), ...(project !== '' && { projectId: project }) }
}
