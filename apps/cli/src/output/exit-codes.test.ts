import { ErrorCode, ServiceError } from '@svc/contracts/errors'
import type { NextStep } from '@svc/contracts/next-step'
import { describe, expect, test } from 'vitest'
import { exitCodeOf } from './exit-codes.ts'
import { CommandFailure, describeFailure } from './failure.ts'

describe('exit codes', () => {
  test('every refusal has the one of its status', () => {
    const byCode = Object.fromEntries(ErrorCode.options.map((code) => [code, exitCodeOf(code)]))
    expect(byCode).toMatchObject({
      validation_failed: 2,
      too_large: 2,
      unsupported_media_type: 2,
      unauthenticated: 3,
      forbidden: 3,
      not_found: 4,
      mission_busy: 5,
      runner_removed: 5,
      idempotency_mismatch: 5,
      rate_limited: 6,
      unavailable: 6,
      internal: 1,
    })
    expect(Object.values(byCode).every((code) => code >= 1 && code <= 6)).toBe(true)
  })

  test('a refusal is printed in one line that begins with its code', () => {
    const error = new ServiceError('mission_busy', 'web:3.ab12 is running:\nwait \u001b[31mfor it.')
    expect(describeFailure(error)).toEqual({
      line: 'mission_busy: web:3.ab12 is running: wait for it.',
      exitCode: 5,
    })
  })

  test('a token that is refused is reported without the header in which it was sent', () => {
    const error = new ServiceError('unauthenticated', 'Send one as: Authorization: Bearer <token>')
    const { line } = describeFailure(error)
    expect(line).toMatch(/^unauthenticated: The service does not take this token: .*svc login/)
    expect(line).not.toContain('Bearer')
  })

  test.each<[NextStep, string]>([
    [{ operation: 'listMissions', params: {} }, 'List them with: svc missions list'],
    [{ operation: 'getMission', params: {} }, 'List them with: svc objectives list <mission>'],
    [
      { operation: 'updateObjective', params: { id: 'web:12.k7qd' } },
      'Give it one (type it, then Ctrl-D): svc objectives edit web:12.k7qd --instruction-file -',
    ],
    [
      {
        operation: 'updateObjective',
        params: { id: 'web:12.k7qd', assigned_agent: '<key>' },
      },
      'Give it one: svc objectives edit web:12.k7qd --agent <key>',
    ],
    [
      { operation: 'listArtifacts', params: { id: 'web:12' } },
      'List them with: svc artifacts list web:12',
    ],
    [
      { operation: 'connectResource', params: { resourceKey: 'web' } },
      'On that machine: svc resource link <project> <path> --key web && svc runner start',
    ],
  ])('a refusal with the step %j prints it as a command', (next, step) => {
    const error = new ServiceError('not_found', 'No mission web:9 here.', undefined, { next })
    expect(describeFailure(error).line).toBe(`not_found: No mission web:9 here. ${step}`)
  })

  test('a failure of the command keeps its own code, anything else is unexpected', () => {
    expect(describeFailure(new CommandFailure('usage', 'Give a path.', 2))).toEqual({
      line: 'usage: Give a path.',
      exitCode: 2,
    })
    expect(describeFailure(new TypeError('oops'))).toEqual({
      line: 'unexpected: oops',
      exitCode: 1,
    })
  })
})
