import { type ErrorCode, errorStatus } from '@svc/contracts/errors'

export const exitCode = {
  done: 0,
  unexpected: 1,
  usage: 2,
  credential: 3,
  notFound: 4,
  conflict: 5,
  unreachable: 6,
  questionOpen: 10,
} as const
export type ExitCode = (typeof exitCode)[keyof typeof exitCode]

const byStatus = {
  400: exitCode.usage,
  401: exitCode.credential,
  403: exitCode.credential,
  404: exitCode.notFound,
  405: exitCode.usage,
  408: exitCode.unreachable,
  409: exitCode.conflict,
  410: exitCode.conflict,
  413: exitCode.usage,
  415: exitCode.usage,
  422: exitCode.conflict,
  426: exitCode.conflict,
  429: exitCode.unreachable,
  431: exitCode.usage,
  500: exitCode.unexpected,
  503: exitCode.unreachable,
} as const satisfies Record<(typeof errorStatus)[ErrorCode], ExitCode>

export function exitCodeOf(code: ErrorCode): ExitCode {
  return byStatus[errorStatus[code]]
}
