import type { OpenApiDocument } from '@svc/contracts/openapi/document'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect } from 'vitest'
import { test } from './place.ts'

describe('the description of the API', () => {
  test('is OpenAPI 3.1, as an independent validator judges', async ({ place }) => {
    const validator = new Validator()
    expect(await validator.validate(JSON.parse(place.description))).toEqual({ valid: true })
    expect(validator.version).toBe('3.1')
  })

  test('lists every address that there is, and no other', ({ place }) => {
    // it is what the API has just answered
    const { paths } = JSON.parse(place.description) as OpenApiDocument
    const described = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const served = place.routes
      .filter(({ method, path }) => method !== 'ALL' && path.startsWith('/api/'))
      .map(({ method, path }) => `${method} ${path.replaceAll(/:([A-Za-z]+)/g, '{$1}')}`)
      .filter((it) => !isPageOrCatchAll.test(it))
    expect(described.toSorted()).toEqual(served.toSorted())
  })

  test('names each operation once', ({ place }) => {
    const ids = [...place.description.matchAll(/"operationId":"([^"]+)"/g)].map(([, id]) => id)
    expect(ids.length).toBeGreaterThan(50)
    expect(new Set(ids).size).toBe(ids.length)
  })
})

const isPageOrCatchAll = /^GET \/api\/docs|^POST \/api\/(tools|protocol)\/\{\w+\}$/

describe('the page at /api/docs', () => {
  test('loads only what is served here, under a policy that refuses all else', async ({
    place,
  }) => {
    const page = await place.get('/api/docs')
    const html = await page.text()
    const loaded = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, path]) => String(path))
    expect(loaded.length).toBeGreaterThan(2)
    for (const path of loaded) {
      expect(path).toMatch(/^\/api\/docs\//)
      const { status, headers } = await place.get(path)
      expect({ path, status }).toEqual({ path, status: 200 })
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
    expect(html).not.toMatch(/<script>|<style|style=|onload=/)
    const policy = page.headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
  })

  test('shows the description, and has nobody else judge it', async ({ place }) => {
    const start = await (await place.get('/api/docs/start.js')).text()
    expect(start).toContain("url: '/api/openapi.json'")
    expect(start).toContain('validatorUrl: null')
  })
})

test('the types of events are shown to everybody, with schemas and examples', async ({ place }) => {
  const answer = await place.get('/api/event-types')
  expect(answer.status).toBe(200)
  expect(await answer.json()).toMatchObject({
    eventTypes: expect.arrayContaining([
      expect.objectContaining({
        type: 'mission.delivered',
        examples: expect.objectContaining({
          full: expect.objectContaining({ type: 'mission.delivered' }),
        }),
      }),
    ]),
  })
})
