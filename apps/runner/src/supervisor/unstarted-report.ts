import { homedir } from 'node:os'
import { cutText } from '@svc/contracts/cut-text'
import { isServiceError } from '@svc/contracts/errors'
import { errorCode } from '../files/durable-file.ts'
import { nameOfResource } from '../git/place.ts'
import { LaunchFailure, LaunchRelease } from '../launch-failure.ts'
import { forOthers } from '../output/for-others.ts'
import { secretSpellings } from '../output/secrets.ts'
import type { Run } from '../run/run.ts'
import type { Stopping } from './stopping.ts'

const detailCharacters = 300
const messageCharacters = 4_000

/** What the service hears of a run whose agent was not started, in words for whoever may read the mission. */
export function unstartedReport(
  run: Run,
  stopping: Stopping,
  error: unknown,
): Parameters<Run['report']>[0] {
  const stop = stopping.reason()
  const runner = `Runner ${run.order.device.label}`
  const told = (text: string) => forOthers(text, keptOf(run))
  const released = ({ reason, message, next }: LaunchRelease) => {
    const detail = cutText(told(message), detailCharacters)
    return { call: 'reportReleased', body: { reason, detail, next } } as const
  }
  const failed = ({ code, message, phase, next }: LaunchFailure) => {
    const body = { code, message: cutText(told(message), messageCharacters), phase, next }
    return { call: 'reportFailed', body } as const
  }
  if (stop !== undefined && stop.cause === 'supervisor_lost') {
    return released(
      new LaunchRelease('network', `${runner} lost the service before the agent was started.`),
    )
  }
  if (stop !== undefined) {
    return released(
      new LaunchRelease(
        'runner_draining',
        `${runner} is being stopped: start it again, or another.`,
      ),
    )
  }
  if (error instanceof LaunchRelease) return released(error)
  if (error instanceof LaunchFailure) return failed(error)
  if (errorCode(error) === 'ENOSPC') {
    const message = 'The disk of the runner is full: free some space there.'
    return failed(new LaunchFailure('disk_full', message, 'prepare'))
  }
  if (isServiceError(error) && error.code === 'unauthenticated') {
    return failed(new LaunchFailure('auth_required', error.message, 'prepare'))
  }
  return released(
    new LaunchRelease('supervisor_lost', `${runner} met an error of its own: see its log there.`),
  )
}

/** What this machine does not tell others: its secrets, and where its folders are. */
function keptOf({ env, order }: Run): Parameters<typeof forOthers>[1] {
  const { checkouts, device, home } = order
  const resources = Object.entries(checkouts).map(([key, path]) => {
    return [path, nameOfResource(key, device.label)] as const
  })
  return {
    folders: {
      [homedir()]: '~',
      [home]: `the home of runner ${device.label}`,
      ...Object.fromEntries(resources),
    },
    spellings: secretSpellings(env, [order.leaseToken]),
  }
}
