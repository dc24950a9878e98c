import type { Permission } from '@svc/contracts/permissions'

/** The commands among those that are offered which change something at the service, and the right that each takes. */
const rights: readonly (readonly [RegExp, Permission])[] = [
  [/^svc (launch|resume|cancel|queue (?!list)\S+) /, 'execution_request:create'],
  [/^svc questions answer /, 'session:update'],
  [/^svc objectives add |^svc review .*--changes/, 'objective:create'],
  [/^svc objectives edit /, 'objective:update'],
  [/^svc missions move |^svc review .*--accept/, 'mission:update'],
]

/** Undefined of a command that only reads, or that works on this machine alone. */
export function neededFor(command: string): Permission | undefined {
  return rights.find(([shape]) => shape.test(command))?.[1]
}
