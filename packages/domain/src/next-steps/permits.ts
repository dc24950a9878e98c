import type { NextStep } from '@svc/contracts/next-step'

/** Whether whoever asks may take the step. */
export type Permits = (step: NextStep) => boolean
