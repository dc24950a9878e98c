import type { RouteRequest } from '@svc/contracts/rest'
import { defineRead } from '../../data/reads.ts'

const causes: readonly string[] = ['question', 'delivery', 'mission', 'objective']

/** What agents ask and what is delivered: what else waits is no cause to notify anybody. */
export const mine = defineRead({
  operation: 'listNeeds',
  touchedBy: ({ entity }) => causes.includes(entity),
})

export const mineRequest: RouteRequest<'listNeeds'> = { whose: 'mine', limit: 50 }
