import { defineRead } from '../../data/reads.ts'

export const runners = defineRead({
  operation: 'listRunners',
  touchedBy: ({ entity }) => entity === 'runner',
})
