import { describe, expect, test } from 'vitest'
import { at, calls, id, objective, routes, svc, useAnswers } from '../testing/answers.ts'

useAnswers()

const question = {
  id: id('20'),
  missionId: id('01'),
  objectiveId: objective.id,
  displayId: objective.displayId,
  agentIdentifier: 'claude',
  question: 'Tabs or\nspaces?',
  options: [{ id: 'tabs', label: 'Use tabs' }],
  allowFreeText: true,
  status: 'open',
  answer: null,
  askedAt: at,
  expiresAt: at,
  closedAt: null,
}

describe('questions', () => {
  test('that are open are listed with what can be answered', async () => {
    routes['GET /api/questions?limit=50&missionId=web%3A12&status=open'] = () => ({
      questions: [question],
    })
    const { code, stdout } = await svc('questions', 'list', '--mission', 'web:12')
    expect(code).toBe(0)
    expect(stdout).toContain('web:12.k7qd  open    claude  Tabs or spaces?  tabs=Use tabs')
  })

  test('of every state are listed by word, and no other word is taken', async () => {
    routes['GET /api/questions?limit=50'] = () => ({ questions: [] })
    expect(await svc('questions', 'list', '--status', 'all')).toMatchObject({ code: 0 })
    expect(await svc('questions', 'list', '--status', 'new')).toMatchObject({ code: 2 })
  })

  test('are shown by their id, or by what has one open', async () => {
    routes[`GET /api/questions/${question.id}`] = () => ({
      question: { ...question, status: 'answered', answer: { text: 'Use tabs', by: 'al', at } },
    })
    const open = `GET /api/questions?limit=1&objectiveId=web%3A12.k7qd&status=open`
    routes[open] = () => ({ questions: [question] })
    const answered = await svc('questions', 'show', question.id)
    expect(answered.stdout).toContain('Tabs or\nspaces?\n\nOPTION  ANSWER')
    expect(answered.stdout).toMatch(/answer +Use tabs/)
    const { stdout } = await svc('questions', 'show', 'web:12.k7qd', '--json')
    expect(JSON.parse(stdout)).toEqual({ question })
    expect(await svc('questions', 'show', 'nothing')).toMatchObject({ code: 2 })
  })

  test.each([
    [['Use spaces.'], { text: 'Use spaces.' }],
    [['--option', 'tabs'], { optionId: 'tabs' }],
  ])('are answered by their objective, as %j', async (given, sent) => {
    const open = `GET /api/questions?limit=1&objectiveId=web%3A12.k7qd&status=open`
    routes[open] = () => ({ questions: [question] })
    routes[`POST /api/questions/${question.id}/answer`] = () => ({
      question: { ...question, status: 'answered', answer: { text: 'Use tabs', by: 'al', at } },
      executionRequest: null,
    })
    const { code, stdout } = await svc('questions', 'answer', 'web:12.k7qd', ...given)
    expect(code).toBe(0)
    expect(calls.at(-1)?.body).toEqual(sent)
    expect(stdout).toContain('Use tabs')
  })

  test.each(['…', ' <your answer> '])(
    'are not answered with %j, which stands for an answer',
    async (given) => {
      const { code, stderr } = await svc('questions', 'answer', 'web:12.k7qd', given)
      expect({ code, calls }).toEqual({ code: 2, calls: [] })
      expect(stderr).toContain('stands for your own words')
    },
  )

  test('are named by their mission, where it has no other', async () => {
    const open = `GET /api/questions?missionId=web%3A12&status=open`
    const other = { ...question, id: id('21'), displayId: 'web:12.m3xz' }
    routes[open] = () => ({ questions: [question] })
    routes[`POST /api/questions/${question.id}/answer`] = () => ({
      question: { ...question, status: 'answered', answer: { text: 'Yes.', by: 'al', at } },
      executionRequest: null,
    })
    expect((await svc('questions', 'answer', 'web:12', 'Yes.')).code).toBe(0)
    routes[open] = () => ({ questions: [other, question] })
    calls.length = 0
    const { code, stderr } = await svc('questions', 'answer', 'web:12', 'Yes.')
    expect({ code, calls: calls.length }).toEqual({ code: 5, calls: 1 })
    expect(stderr).toMatch(/^ambiguous_objective: .*name one of web:12.m3xz, web:12.k7qd/)
    routes[open] = () => ({ questions: [] })
    expect((await svc('questions', 'answer', 'web:12', 'Yes.')).code).toBe(4)
  })

  test('where none is open it says how to see the former ones', async () => {
    routes['GET /api/questions?limit=1&objectiveId=web%3A12.k7qd&status=open'] = () => ({
      questions: [],
    })
    const { code, stderr } = await svc('questions', 'answer', 'web:12.k7qd', 'Yes.')
    expect(code).toBe(4)
    expect(stderr).toContain('svc questions list --objective web:12.k7qd --status all')
  })
})

describe('an agent that asks', () => {
  const reply = { directive: 'continue', pendingAnswers: [] }
  const ask = (...more: string[]) => svc('protocol', 'ask', '--session-key', 'key', ...more)

  test('waits until the answer is there', async () => {
    let looks = 0
    routes['POST /api/protocol/ask'] = () => {
      looks += 1
      const open = { questionId: question.id, status: 'open', ...reply }
      return looks < 3 ? open : { ...open, status: 'delivered', answer: { text: 'Tabs.' } }
    }
    const { code, stdout } = await ask('--question', 'Tabs?', '--option', 'y=Yes', '--wait')
    expect({ code, answer: JSON.parse(stdout).answer }).toEqual({
      code: 0,
      answer: { text: 'Tabs.' },
    })
    expect(calls.map(({ body }) => body)).toMatchObject([
      { question: 'Tabs?', options: [{ id: 'y', label: 'Yes' }], waitSeconds: 25 },
      { questionId: question.id, waitSeconds: 25 },
      { questionId: question.id, waitSeconds: 25 },
    ])
  })

  test('and does not wait exits with 10 and the way to go on', async () => {
    routes['POST /api/protocol/ask'] = () => ({ questionId: question.id, status: 'open', ...reply })
    const { code, stdout, stderr } = await ask('--question', 'Tabs?')
    expect(code).toBe(10)
    expect(JSON.parse(stdout)).toMatchObject({ questionId: question.id })
    expect(stderr).toContain(`svc protocol ask --question-id ${question.id} --wait`)
  })
})
