import type { LimitRow } from './limit-row.ts'

// None of these was seen from the server of a maker: each text is as the tool itself writes it.
const claudeCode = "Claude Code 2.1.331, in the program; not seen from the maker's server"
const codex = "Codex 0.169.0, in the program; not seen from the maker's server"

const claudeFailed = { type: 'result', is_error: true }
const claudeSaid = { event: claudeFailed, path: ['result'] }
const claudeTimes: LimitRow['until'] = [
  {
    at: { event: { type: 'rate_limit_event' }, path: ['rate_limit_info', 'resetsAt'] },
    form: 'epoch',
  },
  { text: 'resets (?:at )?([^·|]+)', form: 'clock' },
  // as versions before wrote it: `Claude AI usage limit reached|1764040800`
  { text: '\\|(\\d{10})\\b', form: 'epoch' },
]

export const claudeLimits: LimitRow[] = [
  {
    kind: 'quota',
    at: claudeSaid,
    text: "you['’]ve (?:hit|reached|used) your .*(?:limit|usage|credits)|usage limit reached",
    until: claudeTimes,
    source: claudeCode,
  },
  {
    kind: 'quota',
    at: claudeSaid,
    text: 'out of usage|credit balance (?:is )?too low',
    until: claudeTimes,
    source: claudeCode,
  },
  {
    kind: 'quota',
    at: { event: claudeFailed, path: ['api_error'] },
    text: '^usage_limit_reached$',
    until: claudeTimes,
    source: claudeCode,
  },
  {
    kind: 'signed_out',
    at: { event: claudeFailed, path: ['api_error_type'] },
    text: '^authentication_error$',
    until: [],
    source: claudeCode,
  },
  {
    // with a key that is not valid it tries ten times, for three minutes; with a login of its own twice
    kind: 'signed_out',
    at: {
      event: { type: 'system', subtype: 'api_retry', error: 'authentication_failed' },
      path: ['attempt'],
    },
    text: '^(?:[3-9]|\\d\\d)$',
    until: [],
    endsRun: true,
    source: claudeCode,
  },
  {
    kind: 'signed_out',
    at: claudeSaid,
    text: 'not logged in|please run /login|invalid api key|failed to authenticate|oauth token (?:has been )?(?:revoked|expired)',
    until: [],
    source: claudeCode,
  },
  {
    kind: 'rate_limit',
    at: { event: claudeFailed, path: ['api_error_status'] },
    text: '^429$',
    until: claudeTimes.slice(0, 1),
    source: claudeCode,
  },
]

/** An event for each way in which Codex says what went wrong; what it tries again by itself is no end. */
function inCodex({ text, ...rest }: Omit<LimitRow, 'at' | 'source'>): LimitRow[] {
  const row = { ...rest, text: `^(?!Reconnecting)[^]*(?:${text})` }
  return [
    { ...row, at: { event: { type: 'error' }, path: ['message'] }, source: codex },
    { ...row, at: { event: { type: 'turn.failed' }, path: ['error', 'message'] }, source: codex },
  ]
}

export const codexLimits: LimitRow[] = [
  ...inCodex({
    kind: 'quota',
    text: 'hit your usage limit|quota exceeded|out of credits|hit your spend cap',
    until: [{ text: 'try again at ([^.]+)', form: 'clock' }],
  }),
  ...inCodex({
    kind: 'rate_limit',
    text: 'exceeded retry limit, last status: 429|rate limit reached',
    until: [{ text: 'try again in ([\\d.]+ ?(?:ms|s|seconds|minutes|m)\\b)', form: 'duration' }],
  }),
  ...inCodex({
    kind: 'signed_out',
    text: '401 unauthorized|not logged in|sign in again|failed to refresh token',
    until: [],
  }),
]

const gemini = "Gemini CLI 0.61.0, in the program; not seen from the maker's server"
const opencode = "OpenCode 1.18.33, in the program; not seen from the maker's server"
const copilot = "GitHub Copilot CLI 1.0.102, in the program; not seen from the maker's server"
const qwen = "Qwen Code 0.24.4, in the program; not seen from the maker's server"
const makers =
  "https://platform.openai.com/docs/guides/error-codes and https://ai.google.dev/gemini-api/docs/troubleshooting, read in November 2026; not seen from a maker's server"

const inAWhile: LimitRow['until'][number] = {
  text: '(?:reset|retry|try again)[a-z ]* (?:after|in) ([\\d.]+ ?[dhms][\\d.a-z ]*)',
  form: 'duration',
}
const usedUp =
  'insufficient_quota|quota (?:is )?exceeded|exceeded your current quota|usage limit|out of credits'

/** Of every agent that speaks the Agent Client Protocol: its own code, and what the makers' servers answer. */
export const acpLimits: LimitRow[] = [
  {
    kind: 'signed_out',
    code: -32_000,
    until: [],
    source:
      'https://agentclientprotocol.com/protocol/schema, ErrorCode: authentication required, as @agentclientprotocol/sdk 2.4.0 has it',
  },
  {
    kind: 'quota',
    text: usedUp,
    until: [{ text: 'try again at ([^.]+)', form: 'clock' }, inAWhile],
    source: makers,
  },
  {
    kind: 'rate_limit',
    text: '\\b429\\b|resource_exhausted|rate.?limit|too many requests',
    until: [inAWhile],
    source: makers,
  },
  {
    kind: 'signed_out',
    text: '(?:incorrect|invalid) api key|api key not valid|invalid x-api-key|401 unauthorized',
    until: [],
    source: makers,
  },
]

export const geminiLimits: LimitRow[] = [
  {
    kind: 'quota',
    text: 'you have exhausted your (?:daily quota|capacity)',
    until: [inAWhile],
    source: gemini,
  },
  { kind: 'rate_limit', code: 429, until: [inAWhile], source: gemini },
  ...acpLimits,
]

export const opencodeLimits: LimitRow[] = [
  {
    // it goes on trying without a word over the protocol, and without an end
    kind: 'quota',
    where: 'printed',
    text: `message="stream error"[^]*error\\.error="[^"]*(?:${usedUp})`,
    until: [inAWhile],
    source: opencode,
  },
  ...acpLimits,
]

/** It says what went wrong as the model says things, and ends its turn well. */
const copilotGaveUp = 'Error: Failed to get response from the AI model; retried \\d+ times'

export const copilotLimits: LimitRow[] = [
  {
    kind: 'quota',
    where: 'message',
    text: `${copilotGaveUp}[^]*Last error: [^]*(?:${usedUp})`,
    until: [inAWhile],
    source: copilot,
  },
  {
    kind: 'rate_limit',
    where: 'message',
    text: `${copilotGaveUp}[^]*Last error: 429\\b`,
    until: [inAWhile],
    source: copilot,
  },
  {
    kind: 'signed_out',
    where: 'message',
    text: 'Error: Authentication failed with provider at ',
    until: [],
    source: copilot,
  },
  ...acpLimits,
]

export const qwenLimits: LimitRow[] = [
  { kind: 'signed_out', text: '^internal error: 401\\b', until: [], source: qwen },
  ...acpLimits,
]
