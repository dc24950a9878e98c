import { readEnvironment } from '@svc/process/env'
import { describe, expect, test } from 'vitest'
import { ApiEnvironment, domainSeconds } from './env.ts'

const required = {
  DATABASE_URL: 'postgres://localhost/svc',
  SVC_SECRET_KEYS: `k1:${'A'.repeat(43)}=`,
}

describe('the environment of an API process', () => {
  test('needs a database and keys, and has a default for all else', () => {
    const environment = readEnvironment(ApiEnvironment, required)
    expect(environment).toMatchObject({ SVC_HOST: '127.0.0.1', SVC_PORT: 4600, SVC_NOTIFY: true })
    expect(domainSeconds(environment)).toEqual({
      lease: 60,
      heartbeat: 15,
      attach: 600,
      sweep: 5,
      stale: 300,
      lost: 900,
    })
  })

  test.each(Object.keys(required))('is refused without %s', (name) => {
    expect(() => readEnvironment(ApiEnvironment, { ...required, [name]: '' })).toThrow(
      `${name} is required`,
    )
  })

  test('takes other intervals', () => {
    const environment = readEnvironment(ApiEnvironment, { ...required, SVC_LEASE_SECONDS: '1.5' })
    expect(domainSeconds(environment).lease).toBe(1.5)
  })
})
