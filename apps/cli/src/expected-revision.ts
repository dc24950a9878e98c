import { usageFailure } from './output/failure.ts'

/** For commands that change what somebody may have read a while ago. */
export const expectedRevisionOption = [
  '--expected-revision <number>',
  'as it was read, from --json: where it was changed since, nothing is',
] as const

export interface ExpectedRevision {
  expectedRevision?: string
}

/** As the call takes it. */
export function expectedRevisionOf({ expectedRevision: given }: ExpectedRevision) {
  if (given === undefined) return {}
  if (/^[1-9]\d{0,14}$/.test(given)) return { expectedRevision: Number(given) }
  throw usageFailure('--expected-revision takes a number from 1.')
}
