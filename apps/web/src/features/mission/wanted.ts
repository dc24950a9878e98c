/** What an address asks the page to open, as the steps of the service name it: `?do=launch&agent=claude`. */
export interface Wanted {
  action: WantedAction
  agent?: string | undefined
  resourceKey?: string | undefined
  /** The one to answer, by its id. */
  question?: string | undefined
}

const actions = [
  'add-objective',
  'agent',
  'answer',
  'cancel',
  'delete',
  'edit',
  'launch',
  'move',
  'queue',
  'resource',
  'restore',
  'resume',
  'retry',
  'settings',
] as const
export type WantedAction = (typeof actions)[number]

export function readWanted(search: string): Wanted | undefined {
  const given = new URLSearchParams(search)
  const action = actions.find((one) => one === given.get('do'))
  if (action === undefined) return undefined
  return {
    action,
    agent: given.get('agent') ?? undefined,
    resourceKey: given.get('resourceKey') ?? undefined,
    question: given.get('question') ?? undefined,
  }
}

/** The mission of an objective's display id, `web:12` of `web:12.k7qd`. */
export function missionOf(displayId: string): string {
  return displayId.split('.')[0] ?? displayId
}

/** What tells an objective from the others of its mission, `.k7qd` of `web:12.k7qd`. */
export function shortId(displayId: string): string {
  const [, own] = displayId.split('.')
  return own === undefined ? displayId : `.${own}`
}

/** The slug of its project is the first word of every display id. */
export function projectOf(displayId: string): string {
  return displayId.split(':')[0] ?? displayId
}

export function isUuid(id: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)
}
