import { noEnds } from '@svc/contracts/usage'
import { expect, test } from 'vitest'
import { id, listedRun, mission, routes, svc, useAnswers } from '../testing/answers.ts'

useAnswers()

const sum = {
  runs: 3,
  runsOfUnknownCost: 1,
  runsOfUnknownTokens: 0,
  inputTokens: 12_000,
  outputTokens: 34,
  usd: '1.25',
  seconds: 3_720,
}

test('usage is a table with a total, in which what is not known is no 0', async () => {
  const silent = { ...sum, runs: 1, runsOfUnknownTokens: 1, usd: '0', seconds: 59 }
  routes['GET /api/usage?limit=50&by=agent%2Cmodel&since=2026-11-02'] = () => ({
    since: '2026-11-02',
    rows: [
      { ...sum, agent: 'claude', model: 'large', ends: { ...noEnds, delivered: 2, lost: 1 } },
      { ...silent, agent: 'codex', model: null, ends: noEnds },
    ],
    total: { ...sum, ends: noEnds },
    nextCursor: '50',
  })
  const { stdout, stderr } = await svc('usage', '--by', 'agent,model', '--since', '2026-11-02')
  expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    [
      'AGENT',
      'MODEL',
      'RUNS',
      'ENDED',
      'USD',
      'UNKNOWN COST',
      'TOKENS IN',
      'TOKENS OUT',
      'UNKNOWN TOKENS',
      'TIME',
    ],
    ['claude', 'large', '3', '2 delivered, 1 lost', '1.25', '1', '12,000', '34', '0', '1 h 2 min'],
    ['codex', "the agent's own", '1', '-', '-', '1', '-', '-', '1', '59 s'],
    [''],
    [
      'Since 2026-11-02: 3 runs, $1.25 and 1 run of unknown cost, 12,000 tokens in, 34 tokens out, 1 h 2 min.',
    ],
    [''],
  ])
  expect(stderr).toContain('svc usage --by agent,model --since 2026-11-02 --cursor 50')
})

test('a mission says what its runs have used, and a list of runs what these have', async () => {
  const budget = { usd: '5', tokens: null, runs: 4 }
  routes['PATCH /api/missions/web%3A12'] = () => ({ mission, warnings: [] })
  routes['GET /api/missions/web%3A12'] = () => ({ mission, objectives: [] })
  routes['POST /api/missions/web%3A12/status'] = () => ({
    mission: { ...mission, launches: 3, usage: sum, budget },
  })
  routes[`GET /api/projects/${mission.projectId}/statuses`] = () => ({
    statuses: [{ id: id('06'), type: 'review', label: 'In review' }],
  })
  const { stdout } = await svc('missions', 'move', 'web:12', 'review')
  expect(stdout).toMatch(/used +3 runs, \$1\.25 and 1 run of unknown cost/)
  expect(stdout).toMatch(/budget +\$5, 4 runs; launched 3/)

  const over = { ...listedRun, status: 'launched', outcome: 'delivered', attempt: 1, seconds: 60 }
  const told = { ...over, id: id('08'), usage: { usd: '0.1', inputTokens: 7 } }
  routes['GET /api/execution-requests?limit=50'] = () => ({
    executionRequests: [listedRun, told, over],
  })
  const runs = await svc('runs', 'list')
  expect(runs.stdout).toMatch(/delivered .* 0\.1 +7 /)
  expect(runs.stdout).toContain(
    'Used by those that are over: 2 runs, $0.1 and 1 run of unknown cost, 7 tokens in, 0 tokens out and 1 run of unknown tokens, 2 min.',
  )
})
