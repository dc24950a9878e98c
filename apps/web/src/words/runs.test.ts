import type { ExecutionRequest } from '@svc/contracts/execution-request'
import { describe, expect, test } from 'vitest'
import { eventWords, typesOfGroup, wordsOfEvent } from './events.ts'
import { reasonsOfRun, wordsOfRun } from './runs.ts'

const run = (more: Partial<ExecutionRequest>): ExecutionRequest =>
  // the parts that words are made of
  ({
    status: 'queued',
    outcome: null,
    failure: null,
    exit: null,
    lastRelease: null,
    cancelRequestedAt: null,
    ...more,
  }) as ExecutionRequest

const release = { reason: 'checkout_busy', at: '', detail: null, until: null }
const exit = {
  exitCode: 1,
  signal: null,
  cause: 'agent',
  lastOutput: '',
  agentError: 'No key.',
  limit: null,
}

describe('what is said of a run', () => {
  test.each([
    ['given back', run({ lastRelease: release }), ['Another run was in its checkout.']],
    [
      'given back, in the words of its runner',
      run({ lastRelease: { ...release, detail: 'web:11.aaaa works there.' } }),
      ['web:11.aaaa works there.'],
    ],
    [
      'failed',
      run({
        status: 'failed',
        failure: { code: 'disk_full', message: 'ENOSPC', phase: 'prepare' },
      }),
      ['The disk of that machine is full.', 'ENOSPC'],
    ],
    [
      'failed for what is not known here',
      run({ status: 'failed', failure: { code: 'new_one', message: 'So.', phase: 'spawn' } }),
      ['new_one', 'So.'],
    ],
    [
      'ended early',
      run({ status: 'launched', outcome: 'exited', exit }),
      ['It ended by itself.', 'Its exit code was 1.', 'It said last: No key.'],
    ],
    [
      'gone on with by another run',
      run({ status: 'launched', outcome: 'exited', goneOn: true, exit: { ...exit, exitCode: 0 } }),
      ['It ended while it waited, and another run went on with its work.'],
    ],
    [
      'ended after its delivery was refused',
      run({
        status: 'launched',
        outcome: 'exited',
        refusedFor: 'tests failed with exit code 3 after 2 s',
        exit: { ...exit, exitCode: 4, agentError: null },
      }),
      [
        'Its delivery was refused: tests failed with exit code 3 after 2 s.',
        'It ended by itself.',
        'Its exit code was 4.',
      ],
    ],
    ['delivered', run({ status: 'launched', outcome: 'delivered', exit }), []],
    ['at work', run({ status: 'launched', outcome: 'running', lastRelease: release }), []],
  ])('has its reasons where it %s', (_how, given, reasons) => {
    expect(reasonsOfRun(given)).toEqual(reasons)
  })

  test('names its outcome, else its status, and that it is to end', () => {
    expect(wordsOfRun(run({})).word).toBe('queued')
    expect(wordsOfRun(run({ status: 'launched', outcome: 'delivered' })).word).toBe('delivered')
    expect(wordsOfRun(run({ status: 'launched', outcome: 'exited', goneOn: true }))).toMatchObject({
      word: 'went on',
      tone: 'quiet',
    })
    const called = { cancelRequestedAt: '2026-11-26T00:00:00.000Z' }
    expect(wordsOfRun(run({ status: 'launched', outcome: 'running', ...called })).word).toBe(
      'ending',
    )
    expect(wordsOfRun(run({ status: 'cancelled', ...called })).word).toBe('cancelled')
  })
})

describe('an entry of a history', () => {
  test('has the sign of what became of it', () => {
    const signOf = (type: string, outcome?: string) => wordsOfEvent(type, outcome).sign
    expect(signOf('check_run', 'passed')).toBe('✓')
    expect(signOf('check_run', 'failed')).toBe('!')
    expect(signOf('check_run', 'not_run')).toBe('◌')
    expect(signOf('run_ended', 'exited')).toBe('!')
    expect(signOf('run_ended', 'parked')).toBe('‖')
  })

  test('has a sign and a word, whoever made its kind', () => {
    for (const type of [...Object.keys(eventWords), 'ci:passed', 'of_a_later_version']) {
      const { sign, word } = wordsOfEvent(type)
      expect([type, sign, word]).toEqual([
        type,
        expect.stringMatching(/^.$/u),
        expect.stringMatching(/\w/),
      ])
    }
  })

  test('of a built-in kind is in one of the groups that one may choose', () => {
    const grouped = (['work', 'questions', 'runs', 'changes'] as const).flatMap(typesOfGroup)
    expect(grouped.toSorted()).toEqual(Object.keys(eventWords).toSorted())
  })
})
