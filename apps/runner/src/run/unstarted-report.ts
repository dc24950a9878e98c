import { cutText } from '@svc/contracts/cut-text'
import { UnusableFile, errorCode } from '@svc/process/untrusted-file'
import { LaunchFailure, LaunchRelease } from '../launch-failure.ts'
import type { Report } from './reports.ts'
import { type PrivateFacts, textForOthers } from './text-for-others.ts'

const detailCharacters = 300
const messageCharacters = 4_000

/**
 * What the service hears of a run whose agent was not started, in words for whoever may read the mission: a failure of
 * the run, or the run given back.
 */
export function unstartedReport(
  error: unknown,
  order: PrivateFacts,
  env: NodeJS.ProcessEnv,
): Report {
  const end = endOf(error, order.device.label)
  const text = textForOthers(end.message, order, env)
  if (end instanceof LaunchRelease) {
    const detail = cutText(text, detailCharacters)
    return {
      call: 'reportReleased',
      body: { reason: end.reason, detail, next: end.next, until: end.until },
    }
  }
  const { code, phase, next } = end
  const message = cutText(text, messageCharacters)
  return { call: 'reportFailed', body: { code, message, phase, next } }
}

function endOf(error: unknown, runner: string): LaunchRelease | LaunchFailure {
  if (error instanceof LaunchRelease || error instanceof LaunchFailure) return error
  if (error instanceof UnusableFile) {
    return new LaunchFailure('bad_working_directory', error.message, 'prepare')
  }
  if (errorCode(error) === 'ENOSPC') {
    const message = 'The disk of the runner is full: free some space there.'
    return new LaunchFailure('disk_full', message, 'prepare')
  }
  const message = `Runner ${runner} met an error of its own: see its log there.`
  return new LaunchRelease('supervisor_lost', message)
}
