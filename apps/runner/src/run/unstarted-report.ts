import { cutText } from '@svc/contracts/cut-text'
import { isServiceError } from '@svc/contracts/errors'
import type { ReleaseReason } from '@svc/contracts/runner'
import { errorCode } from '../files/durable-file.ts'
import { LaunchFailure, LaunchRelease } from '../launch-failure.ts'
import { maskWholeText } from '../output/mask.ts'
import { secretSpellings } from '../output/secrets.ts'
import { cleanText } from '../plan/clean-text.ts'
import type { RunOrder } from './order.ts'
import type { Report } from './reports.ts'

const detailCharacters = 300

type Told = Pick<RunOrder, 'device' | 'leaseToken'>

/** Whatever kept a run from being started, the service hears of it: a failure of the run, or the run given back. */
export function unstartedReport(error: unknown, order: Told, env: NodeJS.ProcessEnv): Report {
  if (error instanceof LaunchRelease) {
    return releasedReport(error.reason, error.message, order, env)
  }
  if (error instanceof LaunchFailure) return failed(error.code, error.message, error.phase)
  if (errorCode(error) === 'ENOSPC') {
    return failed('disk_full', 'The disk of the runner is full: free some space there.', 'prepare')
  }
  if (isServiceError(error) && error.code === 'unauthenticated') {
    return failed('auth_required', error.message, 'prepare')
  }
  const message = `Runner ${order.device.label} met an error of its own: see its log there.`
  return releasedReport('supervisor_lost', message, order, env)
}

/** A sentence for others, without what this machine keeps secret. */
export function releasedReport(
  reason: ReleaseReason,
  text: string,
  { leaseToken }: Told,
  env: NodeJS.ProcessEnv,
): Report {
  const spellings = secretSpellings(env, [leaseToken])
  const detail = cutText(cleanText(maskWholeText(text, spellings)), detailCharacters)
  return { call: 'reportReleased', body: { reason, detail } }
}

function failed(
  code: LaunchFailure['code'],
  message: string,
  phase: LaunchFailure['phase'],
): Report {
  return { call: 'reportFailed', body: { code, message: cutText(message, 4_000), phase } }
}
