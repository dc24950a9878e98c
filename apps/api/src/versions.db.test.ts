import { oldestClient, version } from '@svc/contracts/version'
import { highLimits } from '@svc/testing/high-limits'
import { describe, expect } from 'vitest'
import { testAt } from './testing/place.ts'

const test = testAt(({ baseUrl }) => ({ baseUrl }), highLimits)

const tooOld = '0.0.9'

describe('the version of whoever calls', () => {
  test('is answered with that of the service, whatever the answer is', async ({
    place: { baseUrl },
  }) => {
    const answers = await Promise.all(
      [{}, { 'x-svc-version': oldestClient }, { 'x-svc-version': '99.0.0' }].map((headers) =>
        fetch(`${baseUrl}/api/me`, { headers }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401])
    expect(answers.map(({ headers }) => headers.get('x-svc-version'))).toEqual(
      answers.map(() => version),
    )
  })

  test('is refused where it is too old, with the way out', async ({ place: { baseUrl } }) => {
    const claim = { method: 'POST', headers: { 'x-svc-version': tooOld } }
    const answer = await fetch(`${baseUrl}/api/runner/claim`, claim)
    expect(answer.status).toBe(426)
    expect(answer.headers.get('upgrade')).toBe(`svc/${version}`)
    expect(await answer.json()).toMatchObject({
      error: {
        code: 'upgrade_required',
        message: `This is svc ${tooOld}, and the service takes ${oldestClient} or a newer one.`,
        next: { operation: 'installVersion', params: { version } },
      },
    })
  })

  test('stops no run that is under way: neither its supervisor nor its agent', async ({
    place: { baseUrl },
  }) => {
    const id = '0192f0c1-2345-7abc-8def-0123456789ab'
    for (const path of [
      `/api/runner/requests/${id}/exited`,
      `/api/runner/requests/${id}/logs`,
      '/api/runner/heartbeat',
      '/api/protocol/attach',
      '/api/protocol/deliver',
    ]) {
      const call = { method: 'POST', headers: { 'x-svc-version': tooOld } }
      const answer = await fetch(baseUrl + path, call)
      expect({ path, status: answer.status }).toEqual({ path, status: 401 })
    }
  })
})
