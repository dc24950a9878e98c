import { describe, expect, test } from 'vitest'
import { isAllowedOrigin, siteOf } from './site.ts'

describe('a site on the internet', () => {
  const site = siteOf('https://svc.example.com')

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
