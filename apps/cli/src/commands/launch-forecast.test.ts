import { describe, expect, test } from 'vitest'
import { at, calls, id, routes, svc, useAnswers } from '../testing/answers.ts'

useAnswers()

const path = '/api/objectives/web%3A7.k7qd/launch-forecast'
const none = { value: null, source: 'default' }
const settings = {
  agent: { value: 'codex', source: 'objective' },
  model: { value: 'big', source: 'request' },
  reasoningEffort: none,
  resourceKey: { value: 'web', source: 'project' },
  rights: { value: 'work', source: 'default' },
  flags: { value: ['--fast', '--quiet'], source: 'project' },
  preCommand: none,
  checks: { value: ['lint', 'test'], source: 'project' },
}
const candidate = (last: string, label: string, able: boolean, message?: string) => ({
  runner: { id: id(last), label, state: 'connected', lastHeardAt: at, agents: [] },
  able,
  reasons: message === undefined ? [] : [{ code: 'busy', message, until: null }],
})

describe('launch --forecast', () => {
  test('shows each setting with where it comes from, and who could take it', async () => {
    const candidates = [
      candidate('01', 'laptop', true),
      candidate('02', 'box', true, 'It carries 2 of 2 runs.'),
      candidate('03', 'attic', false, 'It has no checkout of web.'),
    ]
    routes[`GET ${path}?model=big&fromBase=true&runner=box`] = () => ({
      settings,
      needsTrust: true,
      refusal: null,
      candidates,
    })
    const options = ['--forecast', '--model', 'big', '--runner', 'box', '--from-base']
    const { code, stdout } = await svc('launch', 'web:7.k7qd', ...options)
    expect(code).toBe(0)
    for (const line of [
      /^agent +codex +the objective$/m,
      /^model +big +this command$/m,
      /^effort +- +-$/m,
      /^flags +--fast --quiet +the project$/m,
      /^checks +lint test +the project$/m,
      /^laptop +now +-$/m,
      /^box +later +It carries 2 of 2 runs\.$/m,
      /^attic +no +It has no checkout of web\.$/m,
      /unless its machine trusts the launch settings/,
    ])
      expect(stdout).toMatch(line)
    expect(calls.map(({ route }) => route.split(' ')[0])).toEqual(['GET'])
  })

  test('fails as the launch would be refused, behind what it shows', async () => {
    const refusal = {
      code: 'mission_busy',
      message: 'web:7.aaaa is executing.',
      next: { operation: 'getMission', params: { id: 'web:7' } },
    }
    routes[`GET ${path}`] = () => ({
      settings,
      needsTrust: false,
      refusal,
      candidates: [],
    })
    const { code, stdout, stderr } = await svc('launch', 'web:7.k7qd', '--forecast')
    expect(code).toBe(5)
    expect(stdout).toContain('The workspace has no runner.')
    expect(stderr).toContain('web:7.aaaa is executing.')
    expect(stderr).toContain('svc objectives list web:7')
    expect(await svc('launch', 'web:7.k7qd', '--forecast', '--dry-run')).toMatchObject({ code: 2 })
  })
})
