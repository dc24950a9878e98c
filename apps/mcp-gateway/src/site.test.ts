import { describe, expect, test } from 'vitest'
import { isAllowedOrigin, isOwnHost, siteOf } from './site.ts'

describe('a site on the internet', () => {
  const site = siteOf('https://svc.example.com')

  test.each(['svc.example.com', 'SVC.example.com', 'svc.example.com:443'])(
    'is called %s',
    (host) => {
      expect(isOwnHost(site, host)).toBe(true)
    },
  )

  test.each([
    'localhost',
    '127.0.0.1',
    'svc.example.com:80',
    'svc.example.com.evil.example',
    '',
    undefined,
  ])('is not called %s', (host) => {
    expect(isOwnHost(site, host)).toBe(false)
  })

  test('takes requests of its own pages and of this computer', () => {
    expect(
      [undefined, 'https://svc.example.com', 'http://localhost:3000'].every((origin) =>
        isAllowedOrigin(site, origin),
      ),
    ).toBe(true)
    expect(
      ['http://svc.example.com', 'https://evil.example', 'null', ''].some((origin) =>
        isAllowedOrigin(site, origin),
      ),
    ).toBe(false)
  })

  test('names its resource by its base address', () => {
    expect(site.resource).toBe('https://svc.example.com/mcp')
  })
})

test('a site on this computer is called by each name of it, with its port', () => {
  const { hosts } = siteOf('http://127.0.0.1:4600')
  expect([...hosts]).toEqual(['localhost:4600', '127.0.0.1:4600', '[::1]:4600'])
})
