import type { InboxItem } from '@svc/contracts/inbox-item'
import type { Mission } from '@svc/contracts/mission'
import type { RouteRequest } from '@svc/contracts/rest'
import { priorities } from '../../data/contracts.values.ts'

/** The mission that an item is to become, as it is being written; as a text it is the draft. */
export interface TurnForm {
  /** Empty where none is chosen. */
  projectId: string
  title: string
  /** The instruction of each; what is left empty is none. */
  objectives: readonly string[]
  priority: Mission['priority']
}

export const mostObjectives = 50

export function formOf({ title, text }: Pick<InboxItem, 'title' | 'text'>): TurnForm {
  return { projectId: '', title, objectives: [text ?? ''], priority: 'normal' }
}

/** The same form is always the same text. */
export function writeForm({ projectId, title, objectives, priority }: TurnForm): string {
  return JSON.stringify({ projectId, title, objectives, priority })
}

/** What is no form, as where nothing was written yet, is the item as it is. */
export function readForm(written: string, item: Pick<InboxItem, 'title' | 'text'>): TurnForm {
  const given = parse(written)
  if (given === undefined) return formOf(item)
  const { projectId, title, objectives, priority } = given
  const texts = Array.isArray(objectives) ? objectives.filter(isText) : []
  return {
    projectId: isText(projectId) ? projectId : '',
    title: isText(title) ? title : '',
    objectives: texts.length === 0 ? [''] : texts,
    priority: priorities.find((one) => one === priority) ?? 'normal',
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'

function parse(written: string): Record<string, unknown> | undefined {
  try {
    const given: unknown = JSON.parse(written)
    // an object has its values by their names
    return typeof given === 'object' && given !== null
      ? (given as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

export function withObjective(form: TurnForm, at: number, instruction: string): TurnForm {
  return { ...form, objectives: form.objectives.with(at, instruction) }
}

export function withoutObjective(form: TurnForm, at: number): TurnForm {
  return { ...form, objectives: form.objectives.toSpliced(at, 1) }
}

export function requestOf(id: string, form: TurnForm): RouteRequest<'turnInboxItem'> {
  const { projectId, title, objectives, priority } = form
  const written = objectives.map((text) => text.trim()).filter((text) => text !== '')
  return {
    id,
    projectId,
    title: title.trim(),
    priority,
    objectives: written.map((instruction) => ({ instruction })),
  }
}
