import { expect, test } from 'vitest'
import { loopbackOrigin } from './loopback.ts'

test.each([
  ['127.0.0.1', 'http://127.0.0.1:4600'],
  ['127.0.0.2', 'http://127.0.0.2:4600'],
  ['localhost', 'http://localhost:4600'],
  ['::1', 'http://[::1]:4600'],
  ['0:0:0:0:0:0:0:1', 'http://[::1]:4600'],
  ['0.0.0.0', 'http://127.0.0.1:4600'],
  ['::', 'http://127.0.0.1:4600'],
  ['192.0.2.7', 'http://127.0.0.1:4600'],
])('what listens at %s is reached at %s', (host, origin) => {
  expect(loopbackOrigin(host, 4600)).toBe(origin)
})
