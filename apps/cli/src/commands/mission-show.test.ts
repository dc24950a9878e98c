import { splitWords } from '@svc/contracts/shell-words'
import { describe, expect, test } from 'vitest'
import {
  at,
  calls,
  event,
  id,
  mission,
  objective,
  request,
  routes,
  serveMission,
  svc,
  useAnswers,
} from '../testing/answers.ts'

useAnswers()

const one = (last: string, key: string, fields: object) => ({
  ...objective,
  id: id(last),
  displayId: `web:12.${key}`,
  approvalRefusal: null,
  branch: null,
  ...fields,
})
const done = one('41', 'k7qd', { state: 'complete', title: 'Add a switch' })
const asking = one('42', 'm3xz', { state: 'executing', title: 'Ask', branch: 'svc/web-12-m3xz' })
const failed = one('43', 'p2ab', { title: 'Fail' })
const held = one('44', 'q9cd', { title: 'Wait' })
const approval = one('45', 'r4ef', {
  state: 'awaiting_approval',
  title: 'Go on',
  assigned_agent: 'codex',
})
const run = (last: string, of: { id: string }, fields: object) => ({
  ...request,
  id: id(last),
  objectiveId: of.id,
  runnerLabel: 'laptop',
  ...fields,
})
const delivered = run('51', done, { status: 'launched', outcome: 'delivered' })
const runs = [
  run('53', failed, {
    status: 'failed',
    failure: { code: 'spawn_failed', message: 'claude is not installed.', phase: 'spawn' },
  }),
  run('52', asking, {
    status: 'launched',
    outcome: 'running',
    progress: { percent: 40, note: 'asking' },
  }),
  delivered,
]
const question = {
  id: id('61'),
  objectiveId: asking.id,
  displayId: asking.displayId,
  agentIdentifier: 'claude',
  question: 'Which \u001b[31mcolour?',
  status: 'open',
  answer: null,
  options: [
    { id: 'blue', label: 'Blue' },
    { id: 'red', label: 'Red' },
  ],
}
const entry = (of: typeof held, fields: object) => ({
  id: id('71'),
  objectiveId: of.id,
  displayId: of.displayId,
  title: of.title,
  position: 2,
  state: 'held',
  reason: 'run_lost',
  waitingOn: null,
  turnGrantedBy: null,
  ...fields,
})
const waiting = entry(held, { state: 'waiting', reason: 'turn' })
const queue = {
  id: id('70'),
  name: 'Night shift',
  state: 'paused',
  pausedBy: null,
  advanceOwedSince: null,
  entries: [entry(held, {}), entry({ ...held, id: id('fe'), displayId: 'web:9.zzzz' }, {})],
}
const delivery = {
  id: id('80'),
  objectiveId: done.id,
  createdAt: at,
  artifacts: [{}],
  summary: 'Done.\nTested.',
}
const answered = {
  ...question,
  id: id('62'),
  question: 'Tabs?',
  status: 'delivered',
  answer: { optionId: null, text: 'Spaces.', by: 'alice', at },
}
const artifact = { id: id('81'), objectiveId: done.id, type: 'next_steps', label: 'What is left' }
const attached = {
  ...event('91', 'session_attached', 'cloud attached to web:12.m3xz'),
  objectiveId: asking.id,
  data: { agent: 'cloud', executionRequestId: null },
}
const parallel = { ...mission, allowParallelObjectives: true }
const whole = {
  mission: parallel,
  objectives: [done, asking, failed, held, approval],
  runs,
  questions: [question, answered],
  queues: [queue],
  deliveries: [delivery],
  artifacts: [artifact],
}

/** The commands that are offered, in their order. */
const commandsOf = (stdout: string) =>
  [...stdout.matchAll(/^ {2}(svc .+)$/gm)].map(([, found]) => found)

describe('the overview of a mission', () => {
  test('is shown on one screen, and ends with what to do now', async () => {
    serveMission(whole)
    const { code, stdout, stderr } = await svc('missions', 'show', 'web:12')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatchInlineSnapshot(`
      "mission       web:12
      title         Dark mode now
      status        In progress
      priority      normal
      auto-advance  off
      parallel      on

      OBJECTIVE    STATE              LAST RUN   AGENT  BRANCH           TITLE
      web:12.k7qd  complete           delivered  -      -                Add a switch
      web:12.m3xz  executing          running    -      svc/web-12-m3xz  Ask
      web:12.p2ab  submitted          failed     -      -                Fail
      web:12.q9cd  submitted          -          -      -                Wait
      web:12.r4ef  awaiting_approval  -          codex  -                Go on

      Runs
      OBJECTIVE    STATE      AGENT   RUNNER  QUEUED AT                   WHY                                     RUN
      web:12.p2ab  failed     claude  laptop  2026-01-02 08:49:05 +05:45  spawn_failed: claude is not installed.  0190c9a2-7b1e-7c4e-9d55-3f1f6f3a2b53
      web:12.m3xz  running    claude  laptop  2026-01-02 08:49:05 +05:45  40 %, asking                            0190c9a2-7b1e-7c4e-9d55-3f1f6f3a2b52
      web:12.k7qd  delivered  claude  laptop  2026-01-02 08:49:05 +05:45  -                                       0190c9a2-7b1e-7c4e-9d55-3f1f6f3a2b51

      Open questions
      OBJECTIVE    ASKED BY  QUESTION       OPTIONS
      web:12.m3xz  claude    Which colour?  blue=Blue, red=Red

      Answers
      OBJECTIVE    QUESTION  ANSWER   BY
      web:12.m3xz  Tabs?     Spaces.  alice

      Queues
      QUEUE        #  OBJECTIVE    STATE  WHY
      Night shift  2  web:12.q9cd  held   run lost

      Deliveries
      OBJECTIVE    DELIVERED AT                SUMMARY
      web:12.k7qd  2026-01-02 08:49:05 +05:45  Done.

      Artifacts
      OBJECTIVE    TYPE        LABEL         ARTIFACT
      web:12.k7qd  next_steps  What is left  0190c9a2-7b1e-7c4e-9d55-3f1f6f3a2b81

      What to do now
      web:12.m3xz asks: Which colour? (blue=Blue, red=Red)
        svc questions answer web:12.m3xz --option blue
      web:12.r4ef waits for your approval
        svc launch web:12.r4ef
      web:12.q9cd is held in its queue: its run was lost. Try it again
        svc queue retry web:12.q9cd
      the queue Night shift is paused. Let it go on
        svc queue resume web 'Night shift'
      web:12.p2ab: its last run: failed
        svc launch web:12.p2ab --agent claude
      "
    `)
  })

  test('is printed whole as JSON', async () => {
    serveMission(whole)
    const { stdout } = await svc('missions', 'show', 'web:12', '--json')
    expect(JSON.parse(stdout)).toEqual({
      mission: parallel,
      objectives: whole.objectives,
      executionRequests: runs,
      questions: [question, answered],
      artifacts: [artifact],
      workers: [],
      calledOff: {},
      agents: ['claude', 'codex'],
      unmerged: [],
      queues: [{ ...queue, entries: [queue.entries[0]] }],
      deliveries: [delivery],
      nextSteps: expect.arrayContaining([
        {
          why: expect.stringContaining('waits for your approval'),
          command: 'svc launch web:12.r4ef',
        },
      ]),
    })
  })

  test('is read in one call', async () => {
    serveMission(whole)
    await svc('missions', 'show', 'web:12')
    expect(calls.map(({ route }) => route)).toEqual(['GET /api/missions/web%3A12/overview'])
  })

  test('says who works on an objective that nobody launched', async () => {
    const events = [attached, { ...attached, id: id('92'), data: { agent: 'before' } }]
    serveMission({ objectives: [{ ...asking, lastOutcome: 'cancelled' }], events })
    const { stdout } = await svc('missions', 'show', 'web:12')
    expect(stdout).toContain('web:12.m3xz  executing  attached by itself  cloud  ')
    expect(stdout).toContain('web:12.m3xz (cloud works on it) is on its way')
  })

  test('says why a run was called off, and by whom', async () => {
    const data = { executionRequestId: id('56') }
    const actor = { name: 'alice', role: 'person' }
    const cancellation = event('93', 'execution_cancelled', 'Cancelled: too slow')
    const cancelled = { ...cancellation, actor, data }
    const stopped = [run('56', failed, { status: 'cancelled' })]
    serveMission({ objectives: [failed], runs: stopped, events: [cancelled] })
    const { stdout } = await svc('missions', 'show', 'web:12')
    expect(stdout).toMatch(/cancelled +claude .+ Cancelled: too slow \(by alice\) /)
  })

  test('keeps a long reason out of the table and says it below', async () => {
    const detail = `The resource web on laptop is in use by another run${', still'.repeat(9)}.`
    const next = { operation: 'getExecutionRequest', params: { id: id('05') } }
    const lastRelease = { reason: 'checkout_busy', at, detail, next }
    const launching = { ...failed, state: 'launching' }
    serveMission({ objectives: [launching], runs: [run('57', launching, { lastRelease })] })
    const { stdout } = await svc('missions', 'show', 'web:12')
    expect(stdout).toContain(
      `web:12.p2ab waits: ${detail}\n  svc runs show ${id('05')}\nweb:12.p2ab is on its way`,
    )
    expect(stdout).not.toContain('no runner')
    const rows = stdout.split('\n').filter((line) => line.includes('queued  claude'))
    expect(rows).toEqual([
      expect.stringContaining('The resource web on laptop is in use by another run, still,…'),
    ])
  })
})

describe('what to do now', () => {
  const blank = one('46', 's5gh', { state: 'draft', instruction: ' ' })
  const ready = one('47', 't6jk', { state: 'draft' })
  const active = one('48', 'u7lm', { state: 'launching' })
  test.each([
    [
      'answer in words',
      {
        ...whole,
        objectives: [asking],
        runs: [],
        questions: [{ ...question, options: [] }],
        queues: [],
      },
      ['svc questions answer web:12.m3xz --text-file -'],
    ],
    [
      'approve with the agent of the run before',
      { objectives: [{ ...approval, assigned_agent: null }], runs },
      ['svc launch web:12.r4ef --agent claude'],
    ],
    ['choose an agent', { objectives: [ready] }, ['svc runner status']],
    [
      'launch the next',
      { objectives: [done, blank, ready], runs: [delivered] },
      ['svc launch web:12.t6jk --agent claude'],
    ],
    [
      'write what is to be done',
      { objectives: [blank] },
      ['svc objectives edit web:12.s5gh --instruction-file -'],
    ],
    ['add an objective', {}, ['svc objectives add web:12 --instruction-file -']],
    [
      'wait for the queue',
      { objectives: [held], queues: [{ ...queue, state: 'owing', entries: [waiting] }] },
      ['svc queue list web'],
    ],
    [
      'launch from a queue that is idle',
      { objectives: [held], queues: [{ ...queue, state: 'idle', entries: [waiting] }] },
      ["svc queue start web 'Night shift'"],
    ],
    [
      'launch from a queue that is paused and has no advance pending',
      { objectives: [held], queues: [{ ...queue, entries: [waiting] }] },
      ["svc queue start web 'Night shift'"],
    ],
    [
      'launch nothing from a queue while the mission is busy',
      { objectives: [active, held], queues: [{ ...queue, state: 'idle', entries: [waiting] }] },
      ['svc missions watch web:12', 'svc cancel web:12.u7lm'],
    ],
    [
      'see which agents there are for what waits without one',
      {
        objectives: [held],
        queues: [{ ...queue, state: 'idle', entries: [{ ...waiting, reason: 'no_agent' }] }],
      },
      ['svc runner status'],
    ],
    [
      'watch',
      {
        objectives: [active],
        runs: [run('54', active, { status: 'launched', outcome: 'running' })],
      },
      ['svc missions watch web:12', 'svc cancel web:12.u7lm'],
    ],
    [
      'see who could run it',
      { objectives: [active], runs: [run('54', active, {})] },
      ['svc runner status', 'svc missions watch web:12', 'svc cancel web:12.u7lm'],
    ],
    [
      'take another agent where no runner offers the one that is queued',
      { objectives: [active], runs: [run('54', active, {})], agents: ['scripted'] },
      ['svc launch web:12.u7lm --agent scripted', 'svc cancel web:12.u7lm'],
    ],
    [
      'launch again with an agent that is offered',
      { objectives: [failed], runs, agents: ['scripted'] },
      ['svc launch web:12.p2ab --agent scripted'],
    ],
    [
      'launch with the one agent that is offered',
      { objectives: [ready], agents: ['scripted'] },
      ['svc launch web:12.t6jk --agent scripted'],
    ],
    [
      'launch nothing that the active objective keeps out',
      { objectives: [failed, approval, active], runs },
      ['svc missions watch web:12', 'svc cancel web:12.u7lm'],
    ],
    [
      'retry what an open mission held while it was closed',
      {
        objectives: [held],
        queues: [{ ...queue, state: 'idle', entries: [entry(held, { reason: 'mission_closed' })] }],
      },
      ['svc queue retry web:12.q9cd'],
    ],
    [
      'see which agents there are for what is held without one',
      {
        objectives: [held],
        queues: [{ ...queue, state: 'idle', entries: [entry(held, { reason: 'no_agent' })] }],
      },
      ['svc runner status'],
    ],
    [
      'read and close',
      { objectives: [done, blank], runs: [delivered], deliveries: [delivery] },
      ['svc review web:12', 'svc missions move web:12 complete'],
    ],
    [
      'read alone in a closed mission',
      {
        mission: { ...mission, phase: 'complete' },
        objectives: [done, ready],
        deliveries: [delivery],
      },
      ['svc review web:12'],
    ],
  ])('is to %s', async (_, served, commands) => {
    serveMission(served)
    const { stdout } = await svc('missions', 'show', 'web:12')
    expect(commandsOf(stdout)).toEqual(commands)
  })

  test('is nothing in a mission that was closed with nothing delivered', async () => {
    serveMission({ mission: { ...mission, phase: 'cancelled' }, objectives: [ready] })
    const { stdout } = await svc('missions', 'show', 'web:12')
    expect(stdout).toMatch(/What to do now\nNothing\.\n$/)
  })

  test('are commands that the command line takes as they stand', async () => {
    serveMission(whole)
    const { stdout } = await svc('missions', 'show', 'web:12')
    const commands = commandsOf(stdout)
    expect(commands).toHaveLength(5)
    routes[`GET /api/projects/web/run-queues`] = () => ({ queues: [queue] })
    for (const command of commands) {
      calls.length = 0
      const [, ...words] = splitWords(`${command}`)
      const { stderr } = await svc(...words)
      expect(stderr).not.toMatch(/^usage/)
      expect(calls.length).toBeGreaterThan(0)
    }
  })
})
