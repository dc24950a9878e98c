import { ServiceError } from '@svc/contracts/errors'

export function refuseIfRevised(current: number, expected: number | undefined): void {
  if (expected === undefined || expected === current) return
  throw new ServiceError(
    'revision_mismatch',
    `It was changed meanwhile: revision ${current} and not ${expected}. Read it again, then repeat the change.`,
    { currentRevision: current },
  )
}
