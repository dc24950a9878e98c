import { globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type LimitRow } from '../agents/limit-row.ts'
import { acpLimits, copilotLimits, opencodeLimits } from '../agents/limit-rows.ts'
import { takeHeldAnswers } from '../files/held-answers.ts'
import { findHold } from '../files/holds.ts'
import { refusal } from '../testing/contract-service.ts'
import { markedProcesses } from '../processes/find-processes.ts'
import { becomeProtocolAgent, openProtocolWorld } from '../testing/protocol-world.ts'
import { killHard } from '../testing/kill-hard.ts'
import { outputLimitsOf } from '../output/capped-output.ts'
import { logBytesBefore } from '../run/order.ts'
import { testToken } from '../testing/runner-world.ts'

/** Carries one run of such an agent to its end. */
async function exitOf(
  steps: readonly string[],
  timing: Record<string, number> = {},
  limits: readonly LimitRow[] = acpLimits,
) {
  const world = await openProtocolWorld(steps, limits)
  world.queue()
  const short = { interruptSeconds: 0.3, terminateSeconds: 0.3, ...timing }
  const daemon = await world.start({ once: true, timing: short })
  await daemon.done
  return { world, exit: world.service.calls('reportExited')[0]?.body ?? {} }
}

describe('an agent that is spoken with', () => {
  test.each([
    ['never answers', ['mute'], 'shell did not answer within 1 seconds', 1],
    ['is not signed in', ['signed-out'], 'shell: Authentication required'],
    ['fails in its turn', ['refuse quota is over'], 'shell: Internal error: quota is over'],
    ['leaves off', ['end max_tokens'], 'shell left off before it was done: max_tokens'],
    ['goes away', ['die'], 'shell ended in the middle of its turn'],
  ])('and that %s says so', async (_what, steps, agentError, initializeSeconds = 60) => {
    const { world, exit } = await exitOf(steps, { initializeSeconds })
    await using _ = world
    expect(exit['agentError']).toContain(agentError)
    expect(exit['cause']).toBe('agent')
    expect(world.service.calls('deliver')).toEqual([])
  })

  test.each([
    [
      'says so and ends its turn well',
      'say Error: Authentication failed with provider at x.',
      'signed_out',
    ],
    [
      'goes on trying and prints it',
      'log message="stream error" error.error="X: insufficient_quota"',
      'quota',
    ],
  ])('and whose provider takes no work: it %s', async (_how, step, kind) => {
    const limits = kind === 'quota' ? opencodeLimits : copilotLimits
    const { world, exit } = await exitOf([step, ...(kind === 'quota' ? ['wait'] : [])], {}, limits)
    await using _ = world
    expect(exit).toMatchObject({ cause: 'agent', limit: { kind } })
    expect(exit['agentError']).toContain(kind === 'quota' ? 'insufficient_quota' : 'provider at x')
    expect(findHold(world.home, 'shell')).toMatchObject({ reason: kind })
  })

  test('and whose provider names an end that no calendar has is held for a while', async () => {
    const { world, exit } = await exitOf([
      'refuse You exceeded your current quota. Retry after 9999999d.',
    ])
    await using _ = world
    expect(exit['limit']).toEqual({ kind: 'quota' })
    expect(findHold(world.home, 'shell')).toMatchObject({ reason: 'quota', tries: 1 })
  })

  test.each([
    ['works on limits', 'say The rate limit is 429: too many requests.', undefined],
    ['works on limits, as its log says', 'permit echo the rate limit is 429', undefined],
    ['prints that it met one', 'log Error: 429 Too Many Requests', { kind: 'rate_limit' }],
  ])('and that goes away and %s', async (_what, step, limit) => {
    const { world, exit } = await exitOf([step, 'die'])
    await using _ = world
    expect(exit).toMatchObject({ signal: 'SIGKILL' })
    expect(exit['limit']).toEqual(limit)
  })

  test('and that names its conversation by what is no id is reported without it', async () => {
    const { world, exit } = await exitOf(['long-id', 'cost 0.25', 'say Done.'])
    await using _ = world
    expect(exit).toMatchObject({ exitCode: 0, cause: 'agent', usage: { usd: '0.25' } })
    expect(exit).not.toHaveProperty('conversation')
    expect(exit).not.toHaveProperty('agentError')
    expect(world.service.calls('reportLaunched')[0]?.body).not.toHaveProperty('externalSessionId')
  })

  test('and that stays when its turn is over is ended', async () => {
    const { world, exit } = await exitOf(['stay'], { closeSeconds: 0.3 })
    await using _ = world
    expect(exit).toMatchObject({ signal: 'SIGINT', cause: 'agent' })
    expect(exit).not.toHaveProperty('agentError')
  })

  test('and that asks when its turn is over changes nothing', async () => {
    const { world, exit } = await exitOf(['mark', 'asks-after', 'stay'], { closeSeconds: 1 })
    await using _ = world
    expect(exit).toMatchObject({ cause: 'agent' })
    expect(world.service.calls('deliver')).toEqual([])
  })

  test('and that asks for what nobody can be asked for yet is refused', async () => {
    const { world, exit } = await exitOf(['permit touch made'])
    await using _ = world
    expect(exit['exitCode']).toBe(0)
    expect(world.service.log()).toContain('"text":"touch made: no\\n"')
    expect(world.service.calls('ask')).toEqual([])
  })

  test('and that asks for more than a person can be shown is refused', async () => {
    const { world, exit } = await exitOf(['mark', `permit touch ${'a'.repeat(4_000)}; touch made`])
    await using _ = world
    expect(exit['exitCode']).toBe(0)
    expect(world.service.log()).toContain('too long for a person to be shown all of it')
    expect(world.service.calls('ask')).toEqual([])
  })

  test('and that asks behind its own question is refused where the run is to end', async () => {
    await using world = await openProtocolWorld(['mark', 'ask touch made', 'until asked', 'die'])
    const { service } = world
    const questionId = '0190a000-0000-7000-8000-00000000000b'
    const open = { questionId, status: 'open', directive: 'stop', pendingAnswers: [] }
    service.answer('ask', ({ question }) =>
      question === undefined
        ? { status: 200, json: open }
        : refusal('question_open', 409, { questionId }),
    )
    world.queue()
    const daemon = await world.start({ once: true })
    await service.called('ask', 2)
    await expect.poll(() => service.log()).toContain('"optionId":"no"')
    writeFileSync(join(world.worktree, 'asked'), '')
    await daemon.done
    expect(service.calls('ask')).toHaveLength(2)
  })

  test('and that floods is kept within bounds', async () => {
    const { world, exit } = await exitOf(['long 17000000', 'flood 20000', 'say The end.'])
    await using _ = world
    expect(exit['exitCode']).toBe(0)
    expect(exit['lastOutput']).toContain('The end.')
    expect(world.service.log()).toContain('[A line that was too long is left out]')
    const { headBytes, tailBytes } = outputLimitsOf(logBytesBefore)
    expect(world.service.log().length).toBeLessThanOrEqual(headBytes + tailBytes)
  })

  test('is given the answers that come to its supervisor, which says nothing until it has them', async () => {
    await using world = await openProtocolWorld([
      'mark',
      'say One.',
      'until go',
      'say Two.',
      'call ls',
      'wait',
    ])
    const { home, service } = world
    const questionId = '0190a000-0000-7000-8000-00000000000b'
    const answer = { questionId, question: 'Which?', optionId: null, answer: 'This.' }
    const reply = { eventId: null, warnings: [], directive: 'continue', pendingAnswers: [answer] }
    service.answer('update', () => ({ status: 200, json: reply }))
    world.queue()
    const daemon = await world.start()
    await service.called('update')
    const find = () => globSync(join(home.tmp, '*', '*', 'answers.json'))
    await expect.poll(find).toHaveLength(1)
    writeFileSync(join(world.worktree, 'go'), '')
    await expect.poll(() => service.log()).toContain('Two.')
    const heartbeats = service.calls('heartbeatRunner').length
    await service.called('heartbeatRunner', heartbeats + 5)
    expect(service.calls('update')).toHaveLength(1)
    const [held = ''] = find()
    expect(takeHeldAnswers(held)).toEqual([answer])
    await service.called('update', 2)
    daemon.endRuns()
    await daemon.done
  })

  test('is told to leave off before it is ended', async () => {
    await using world = await openProtocolWorld(['wait'])
    const { service } = world
    world.queue()
    const daemon = await world.start()
    await expect.poll(() => service.log()).toContain('told in 2')
    daemon.endRuns()
    await daemon.done
    expect(service.log()).toContain('told to leave off')
    expect(service.log()).toContain('"stopReason":"cancelled"')
    expect(service.calls('reportExited')[0]?.body).toMatchObject({ cause: 'runner_stopped' })
    expect(service.calls('reportExited')[0]?.body).not.toHaveProperty('agentError')
  })

  test('is killed at once where its supervisor is lost', async () => {
    await using world = await openProtocolWorld(['run trap "" INT TERM; sleep 600'])
    const { executionRequest } = world.queue()
    const timing = { interruptSeconds: 3600, terminateSeconds: 3600 }
    await world.start({ timing })
    await expect.poll(() => world.service.log()).toContain('told in 2')
    killHard(await world.reached('spawned'), 'supervisor')
    const { body } = await world.service.called('reportExited')
    expect(body).toMatchObject({ cause: 'supervisor_lost' })
    expect(markedProcesses({ requestId: executionRequest.id, generation: 1 })).toEqual([])
  })

  test.each([
    ['resumes', 'told in 1: Your run had ended'],
    ['loads', 'told in 1: Your run had ended'],
    ['forgets', 'told in 2: Read'],
  ])('that %s goes on with its conversation as far as it can', async (how, told) => {
    await using world = await openProtocolWorld(['say One.'])
    const { service } = world
    world.queue()
    await (
      await world.start({ once: true })
    ).done
    const { externalSessionId } = service.calls('reportLaunched').at(-1)?.body ?? {}
    becomeProtocolAgent(world, [how, 'say Two.'])
    world.queue({ resumed: String(externalSessionId) })
    await (
      await world.start({ once: true })
    ).done
    expect(service.log()).toContain(told)
    expect(service.log()).not.toContain('what was said before')
    const begins = service.log().includes('does not go on with a conversation of before')
    expect(begins).toBe(how === 'forgets')
  })

  test('is given the model that it offers, and says so where it does not', async () => {
    await using world = await openProtocolWorld(['say Done.'])
    const { service } = world
    for (const model of ['large', 'huge']) {
      world.queue({ model })
      await (
        await world.start({ once: true })
      ).done
    }
    expect(service.log()).toContain('m is large\n')
    expect(service.log()).toContain('does not offer the model huge')
  })
})

const secret = testToken.slice(0, 40)

test('an agent that is spoken with is heard, reported and held to its rights, and the end of its turn is no delivery', async () => {
  await using world = await openProtocolWorld([
    'mark',
    `say I begin, with ${testToken}.`,
    'print a warning between the messages',
    'plan look write',
    'call npm test',
    'unknown svc/what',
    'permit git status',
    'edit hello.txt',
    'cost 0.25',
    'until said',
    'say Done.',
  ])
  const { service } = world
  const said = { eventId: null, warnings: [], directive: 'continue', pendingAnswers: [] }
  service.answer('update', () => ({ status: 200, json: said }))
  world.queue()
  const daemon = await world.start({ once: true })
  await service.called('update')
  writeFileSync(join(world.worktree, 'said'), '')
  await daemon.done
  const log = service.log()
  expect(service.calls('reportExited')[0]?.body).toMatchObject({
    exitCode: 0,
    cause: 'agent',
    usage: { inputTokens: 40, outputTokens: 2 },
    conversation: { externalSessionId: 'conversation-0', usage: { usd: '0.25' } },
  })
  expect(service.calls('reportExited')[0]?.body).not.toHaveProperty('agentError')
  expect(service.calls('deliver')).toEqual([])
  expect(service.calls('reportLaunched').at(-1)?.body).toMatchObject({
    externalSessionId: 'conversation-0',
  })
  const updates = service.calls('update').map(({ body }) => body['text'])
  expect(updates.join('\n')).toContain('I begin, with [masked].')
  for (const seen of [
    '"text":"I begin, with [masked]."',
    'a warning between the messages\n',
    '"text":"svc/what: -32601\\n"',
    '"text":"fs/read_text_file: -32601\\n"',
    'Allowed by the rights of the run (work): git status',
    '"text":"git status: once\\n"',
    '"text":"hello.txt: once\\n"',
    '"method":"session/prompt"',
    '"text":"<briefing>"',
  ]) {
    expect(log).toContain(seen)
  }
  expect(log + JSON.stringify(service.received.map(({ body }) => body))).not.toContain(secret)
})

test('what the rights do not cover is asked of a person, and dies with whoever asked', async () => {
  await using world = await openProtocolWorld([
    'mark',
    'permit touch made',
    'ask npm publish',
    'until asked',
    'die',
  ])
  const { service } = world
  const questionId = '0190a000-0000-7000-8000-00000000000b'
  const reply = { questionId, directive: 'continue', pendingAnswers: [] }
  service.answer('ask', ({ question, questionId: asked }) => {
    const isAnswered = question === undefined && service.calls('ask').length < 4
    const answer = { optionId: 'once-2', text: 'Allow' }
    expect(asked ?? questionId).toBe(questionId)
    return {
      status: 200,
      json: { ...reply, status: isAnswered ? 'delivered' : 'open', ...(isAnswered && { answer }) },
    }
  })
  world.queue()
  const daemon = await world.start({ once: true })
  await service.called('ask', 3)
  writeFileSync(join(world.worktree, 'asked'), '')
  await daemon.done
  const [first, second, third] = service.calls('ask').map(({ body }) => body)
  expect(first).toMatchObject({
    sessionKey: 'sess_test',
    question: expect.stringContaining('touch made'),
    options: [{ label: 'Always allow' }, { id: 'once-2', label: 'Allow' }, { label: 'Reject' }],
    allowFreeText: false,
  })
  expect(second).toMatchObject({ questionId })
  expect(third).toMatchObject({ question: expect.stringContaining('npm publish') })
  expect(service.log()).toContain('"text":"touch made: once\\n"')
  expect(service.calls('reportExited')[0]?.body).toMatchObject({
    signal: 'SIGKILL',
    agentError:
      'shell ended in the middle of its turn, while it waited for an answer to: npm publish',
  })
})

test('a turn that fails by a limit of the provider is one, though its agent then exits with 0', async () => {
  await using world = await openProtocolWorld([
    'refuse You exceeded your current quota. Retry after 2h 5m.',
  ])
  const { service } = world
  world.queue()
  await world.start()
  await service.called('reportExited')
  expect(service.calls('reportExited')[0]?.body).toMatchObject({
    exitCode: 0,
    limit: { kind: 'quota', until: expect.any(String) },
    agentError: expect.stringContaining('exceeded your current quota'),
  })
  expect(findHold(world.home, 'shell')).toMatchObject({ reason: 'quota' })
})
