import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findHold } from '../files/holds.ts'
import { openProtocolWorld } from '../testing/protocol-world.ts'
import { testToken } from '../testing/runner-world.ts'

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
