import { describe, expect, test } from 'vitest'
import type { Adapter } from './adapter.ts'
import { builtInAdapters } from './rows.ts'
import { acpLimits } from './limit-rows.ts'
import { classifyError } from './limits.ts'
import { readOutputEvents } from './output-events.ts'
import { readTime } from './read-time.ts'

const [, claude, codex] = builtInAdapters
function rowOf(key: 'copilot' | 'gemini' | 'opencode' | 'qwen'): Adapter {
  const row = builtInAdapters.find((one) => one.key === key)
  if (row === undefined) throw new Error(`${key} is known by itself`)
  return row
}

const inAnHour = Math.floor(Date.now() / 1000) + 3_600

/** The last limit that these lines of a tool tell of. */
function told(adapter: typeof claude | typeof codex, ...lines: object[]) {
  let last: object | undefined
  const none = () => undefined
  const events = readOutputEvents(adapter, none, none, (limit) => (last = limit))
  for (const line of lines) events.push(Buffer.from(`${JSON.stringify(line)}\n`))
  return last
}

/** As Claude Code ends a turn that came to nothing. */
const result = (said: string, more = {}) => ({
  type: 'result',
  subtype: 'success',
  is_error: true,
  api_error_status: null,
  result: said,
  ...more,
})
const rejected = {
  type: 'rate_limit_event',
  rate_limit_info: { status: 'rejected', resetsAt: inAnHour, rateLimitType: 'five_hour' },
}
const failed = (message: string) => ({ type: 'turn.failed', error: { message } })

describe('what a tool prints is a limit of its provider', () => {
  test.each([
    ['quota', "You've hit your session limit · resets 3am (Europe/Berlin)", true],
    ['quota', "You've hit your weekly limit · resets 3pm (UTC)", true],
    ['quota', 'You’ve reached your usage limit · resets 3pm (UTC)', true],
    ['quota', `Claude AI usage limit reached|${inAnHour}`, true],
    ['quota', "You're out of usage credits", false],
    ['quota', 'Credit balance is too low', false],
    ['signed_out', 'Not logged in · Please run /login', false],
    ['signed_out', 'Invalid API key · Fix external API key', false],
    ['signed_out', 'Failed to authenticate. API Error: 401 {"type":"error"}', false],
  ])('%s: Claude Code says %s', (kind, said, isTimed) => {
    const until = expect.any(String)
    expect(told(claude, result(said))).toEqual(isTimed ? { kind, until } : { kind })
  })

  test('and Claude Code names its end in an event of its own', () => {
    const until = new Date(inAnHour * 1000).toISOString()
    const said = result("You've hit your usage limit")
    expect(told(claude, rejected, said)).toEqual({ kind: 'quota', until })
    const busy = result('API Error: Request rejected (429)', { api_error_status: 429 })
    expect(told(claude, busy)).toEqual({ kind: 'rate_limit' })
  })

  test('and Claude Code names its kind, whatever it says of it', () => {
    const wall = { api_error: 'usage_limit_reached', api_error_type: 'rate_limit_error' }
    expect(told(claude, result('Not today', wall))).toEqual({ kind: 'quota' })
    const out = result('No', { api_error_type: 'authentication_error' })
    expect(told(claude, out)).toEqual({ kind: 'signed_out' })
  })

  test('and what Claude Code would try again for minutes ends its run with the third try', () => {
    const heard: unknown[] = []
    const none = () => undefined
    const events = readOutputEvents(claude, none, none, (...limit) => heard.push(limit))
    const retry = (attempt: number, error: string) =>
      Buffer.from(`${JSON.stringify({ type: 'system', subtype: 'api_retry', attempt, error })}\n`)
    for (const attempt of [1, 2]) events.push(retry(attempt, 'authentication_failed'))
    for (const attempt of [3, 10]) events.push(retry(attempt, 'server_error'))
    expect(heard).toEqual([])
    for (const attempt of [3, 10]) events.push(retry(attempt, 'authentication_failed'))
    expect(heard).toEqual([
      [{ kind: 'signed_out' }, true],
      [{ kind: 'signed_out' }, true],
    ])
  })

  const timed = { until: expect.any(String) }
  const usage = 'You’ve hit your usage limit. Upgrade to Pro (https://chatgpt.com/explore/pro)'
  test.each([
    ['quota', `${usage} or try again at 3:05 PM.`, timed],
    ['quota', `${usage} or try again at Nov 27th, 2099 3:05 PM.`, {}],
    ['quota', `${usage} or try again later.`, {}],
    ['quota', "You've hit your usage limit.", {}],
    ['quota', 'Quota exceeded. Check your plan and billing details.', {}],
    ['rate_limit', 'exceeded retry limit, last status: 429 Too Many Requests', {}],
    ['signed_out', 'unexpected status 401 Unauthorized: Missing bearer', {}],
    ['signed_out', 'Your access token could not be refreshed. Please sign in again.', {}],
  ])('%s: Codex says %s', (kind, said, more) => {
    const found = told(codex, { type: 'error', message: said }, failed(said))
    expect(found).toMatchObject({ kind, ...more })
  })

  test('but not what is its own failure, or what it tries again', () => {
    expect(told(claude, result('Prompt is too long'), rejected)).toBeUndefined()
    expect(
      told(claude, { type: 'result', is_error: false, result: 'Not logged in' }),
    ).toBeUndefined()
    const again = 'Reconnecting... 2/5 (unexpected status 401 Unauthorized)'
    expect(told(codex, { type: 'error', message: again })).toBeUndefined()
    expect(told(codex, failed('stream disconnected before completion'))).toBeUndefined()
  })

  test('by its code, where a protocol has one', () => {
    const now = new Date()
    const at = (said: object) => classifyError(acpLimits, { message: '', ...said }, now)
    expect(at({ code: -32_000, message: 'Authentication required' })).toEqual({
      kind: 'signed_out',
    })
    expect(at({ code: -32_603, message: 'got status: 429 RESOURCE_EXHAUSTED' })).toEqual({
      kind: 'rate_limit',
    })
    expect(at({ message: 'Your quota will reset after 2h5m0s, quota exceeded' })).toEqual({
      kind: 'quota',
      until: new Date(now.getTime() + 7_500_000).toISOString(),
    })
    expect(at({ code: -32_603, message: 'Internal error' })).toBeUndefined()
  })

  test.each([
    ['gemini', 'quota', 429, 'You have exhausted your daily quota on this model.'],
    ['gemini', 'rate_limit', 429, 'Try again.'],
    ['gemini', 'signed_out', 400, '{"error":{"message":"API key not valid. Please pass"}}'],
    ['opencode', 'signed_out', -32_603, 'Internal error: Incorrect API key provided.'],
    ['qwen', 'signed_out', -32_603, 'Internal error: 401 Incorrect API key provided.'],
  ] as const)('in the words of %s: %s', (key, kind, code, message) => {
    const { limits } = rowOf(key)
    expect(classifyError(limits, { code, message }, new Date())).toEqual({ kind })
  })

  test('in what it says last or prints, where its own turn ends well or does not end, and nowhere else', () => {
    const now = new Date()
    const gaveUp = `Error: Failed to get response from the AI model; retried 5 times (total retry wait time: 50.09 seconds) Last error: 429 `
    const usedUp = 'You exceeded your current quota, please check your plan and billing details.'
    const log = `level=ERROR message="stream error" error.error="AI_APICallError: ${usedUp}"`
    const { limits } = rowOf('copilot')
    const said = (message: string) => classifyError(limits, { message }, now, 'message')
    expect(said(`Info: Retrying.${gaveUp}${usedUp}`)).toEqual({ kind: 'quota' })
    expect(said(`${gaveUp}Slow down.`)).toEqual({ kind: 'rate_limit' })
    expect(said('Error: Authentication failed with provider at http://x (HTTP 401).')).toEqual({
      kind: 'signed_out',
    })
    expect(said('I have raised the rate limit to 429, and the quota is exceeded no more.')).toBe(
      undefined,
    )
    const printed = (message: string, key: 'opencode' | 'gemini' = 'opencode') =>
      classifyError(rowOf(key).limits, { message }, now, 'printed')
    expect(printed(log)).toEqual({ kind: 'quota' })
    expect(printed(log, 'gemini')).toBeUndefined()
    expect(printed(usedUp)).toBeUndefined()
  })
})

describe('the time at which a limit ends', () => {
  const now = new Date('2026-11-24T20:00:00.000Z')
  test.each([
    ['epoch', '1795467600', '2026-11-23T21:00:00.000Z'],
    ['epoch', '1795467600000', '2026-11-23T21:00:00.000Z'],
    ['iso', '2026-11-25T03:00:00+01:00', '2026-11-25T02:00:00.000Z'],
    ['seconds', '90', '2026-11-24T20:01:30.000Z'],
    ['duration', '2 days 3 hours 5 minutes', '2026-11-26T23:05:00.000Z'],
    ['clock', '3am (Europe/Berlin)', '2026-11-25T02:00:00.000Z'],
    ['clock', '10:30pm (UTC)', '2026-11-24T22:30:00.000Z'],
    ['clock', '12am (America/New_York)', '2026-11-25T05:00:00.000Z'],
    ['clock', 'Nov 27, 3pm (Europe/Berlin)', '2026-11-27T14:00:00.000Z'],
    ['clock', 'Jan 2, 9am (UTC)', '2027-01-02T09:00:00.000Z'],
    ['clock', 'Nov 27th, 2026 3:05 PM (UTC)', '2026-11-27T15:05:00.000Z'],
    ['clock', 'Mar 28, 2027 11pm (Europe/Berlin)', '2027-03-28T21:00:00.000Z'],
  ] as const)('%s: %s', (form, text, time) => {
    expect(readTime(form, text, now)?.toISOString()).toBe(time)
  })

  test.each([
    ['clock', 'later'],
    ['clock', '31:99'],
    ['clock', '3am (Nowhere/Town)'],
    ['duration', 'soon'],
    ['epoch', 'x'],
    ['epoch', '1000000000000000'],
    ['duration', '9999999 days'],
  ] as const)('is not known from %s: %s', (form, text) => {
    expect(readTime(form, text, now)).toBeUndefined()
  })
})
