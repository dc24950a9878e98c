import { presetPermissions } from '@svc/contracts/permissions'
import { authenticate } from '@svc/domain/access/authenticate'
import { ledTo, refreshOf } from '@svc/testing/led-to'
import { verifies } from '@svc/testing/verifies'
import { describe, expect } from 'vitest'
import {
  answerConsent,
  approvedCode,
  ask,
  askFor,
  callMcp,
  exchange,
  openConsent,
  openParts,
  registerClient,
  startFlow,
  test,
  tokenFor,
} from './place.ts'

const tokenForm = /^svcoa_[0-9A-Za-z]{49}$/

describe('an API and a gateway', () => {
  const statuses = async (databaseUrl: string, enabled: string | undefined) => {
    await using parts = await openParts(databaseUrl, enabled)
    const asked = [
      `${parts.gateway}/mcp`,
      `${parts.gateway}/.well-known/oauth-protected-resource/mcp`,
      `${parts.api}/.well-known/oauth-authorization-server`,
      `${parts.api}/oauth/authorize`,
    ]
    return await Promise.all(asked.map(async (url) => (await fetch(url)).status))
  }

  test(
    verifies('mcp.enabled-true', 'have endpoint, metadata and OAuth where SVC_MCP_ENABLED is true'),
    async ({ place }) => {
      expect(await statuses(place.databaseUrl, 'true')).toEqual([401, 200, 200, 400])
    },
  )

  test.for([undefined, 'yes'])(
    verifies('mcp.disabled-unmounted', 'have none of it where SVC_MCP_ENABLED is %s'),
    async (enabled, { place }) => {
      expect(await statuses(place.databaseUrl, enabled)).toEqual([404, 404, 404, 404])
    },
  )
})

describe('a client that nobody knew', () => {
  test(
    verifies(
      [
        'oauth.register-then-code',
        'oauth.authorize-redirect',
        'oauth.token-exchange',
        'oauth.register',
        'oauth.approve-page',
      ],
      'registers, has a person approve it, exchanges its code, and lists the tools',
    ),
    async ({ place }) => {
      const flow = await startFlow(place)
      const sent = await ask(place, flow.asked)
      expect(sent.status).toBe(302)
      const page = new URL(sent.headers.get('location') ?? '', place.baseUrl)
      expect(page.pathname).toBe('/oauth/approve')
      const led = await answerConsent(place, page.searchParams.get('request') ?? '')
      expect(led.href.startsWith('http://127.0.0.1:7777/callback?code=')).toBe(true)
      expect(Object.fromEntries(led.searchParams)).toEqual({
        code: expect.stringMatching(/^[\w-]{43}$/),
        state: 'as it was',
        iss: place.baseUrl,
      })
      const { status, body } = await exchange(place, flow, led.searchParams.get('code') ?? '')
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          access_token: expect.stringMatching(tokenForm),
          token_type: 'Bearer',
          expires_in: 7_776_000,
          scope: 'mission_lifecycle',
        },
      })
      const listed = await callMcp(place, String(body['access_token']))
      expect(listed.status).toBe(200)
      const { result } = (await listed.json()) as { result: { tools: object[] } } // by its protocol
      expect(result.tools).toHaveLength(24)
    },
  )

  test('is told that a token which a person made is not its to end', async ({ place }) => {
    const { world, postForm } = place
    const minted = await world.bob.withPreset('full')
    const unknown = `svcut_${'0'.repeat(49)}`
    for (const token of [minted.token, unknown]) {
      const answer = await postForm('/oauth/revoke', { token })
      const body = { error: 'unsupported_token_type', error_description: expect.any(String) }
      expect([answer.status, await answer.json()]).toEqual([400, body])
    }
    expect((await minted.actor()).credential.kind).toBe('token')
  })

  test(verifies('oauth.revoke', 'ends its token, at once in every process'), async ({ place }) => {
    const token = await tokenFor(place)
    const statuses = async () => {
      const answers = [await callMcp(place, token), await callMcp(place, token)]
      return answers.map(({ status }) => status)
    }
    expect(await statuses()).toEqual([200, 200])
    const revoked = await place.postForm('/oauth/revoke', { token })
    expect([revoked.status, await revoked.text()]).toEqual([200, ''])
    expect(await statuses()).toEqual([401, 401])
    expect((await place.postForm('/oauth/revoke', { token })).status).toBe(200)
  })

  test('gives a token that ends as soon as the workspace says at the latest', async ({ place }) => {
    const { alice, domain } = place.world
    await alice.call('updateWorkspace', { maxTokenDays: 30 })
    const flow = await startFlow(place)
    const { body } = await exchange(place, flow, await approvedCode(place, flow))
    expect(body['expires_in']).toBe(30 * 24 * 3600)
    await domain.db.updateTable('workspaces').set({ max_token_days: 366 }).execute()
  })

  test('leaves the token of another client alone', async ({ place }) => {
    const token = await tokenFor(place)
    const { clientId } = await startFlow(place)
    const foreign = await place.postForm('/oauth/revoke', { token, client_id: 'another' })
    expect(foreign.status).toBe(200)
    expect((await callMcp(place, token)).status).toBe(200)
    await place.postForm('/oauth/revoke', { token, client_id: clientId })
    expect((await callMcp(place, token)).status).toBe(401)
  })

  test(
    verifies(
      'oauth.approve-scoped-token',
      'has a token of mission_lifecycle, within the role of the person, and for the endpoint of cloud agents alone',
    ),
    async ({ place }) => {
      const { world, baseUrl, get } = place
      const granted = await authenticate(world.domain, await tokenFor(place), 'mcp')
      expect([...granted.permissions].toSorted()).toEqual(
        [...presetPermissions.mission_lifecycle].toSorted(),
      )
      const token = await tokenFor(place, { person: world.vera })
      const stored = await world.domain.db
        .selectFrom('user_tokens')
        .select(['kind', 'preset', 'audiences', 'label'])
        .where('prefix', '=', token.slice(0, 14))
        .execute()
      expect(stored).toEqual([
        { kind: 'oauth', preset: 'mission_lifecycle', audiences: ['mcp'], label: 'Agent' },
      ])
      const call = (name: string, args: object) =>
        callMcp({ baseUrl }, token, { method: 'tools/call', params: { name, arguments: args } })
      const read = await call('svc_search_missions', {})
      expect(await read.json()).not.toHaveProperty('result.isError')
      const write = await call('svc_create_project', { name: 'Hers' })
      expect(await write.json()).toMatchObject({ result: { isError: true } })
      const rest = await get('/api/me', { authorization: `Bearer ${token}` })
      expect(rest.status).toBe(401)
    },
  )

  test('gets nothing in a workspace that the person is no member of', async ({ place }) => {
    const { carla } = place.world
    const { workspaceId } = await carla.actor()
    const handle = await askFor(place, await startFlow(place))
    const browser = await place.browserOf(place.world.alice)
    const { fields } = await openConsent(place, handle, browser)
    const given = { ...fields, decision: 'allow', workspace: workspaceId }
    const answer = await place.postForm('/oauth/approve', given, browser)
    expect([answer.status, answer.headers.get('location')]).toEqual([404, null])
    expect(await answer.text()).toContain('You are no member of that workspace.')
  })

  test('is told that the person denied it', async ({ place }) => {
    const flow = await startFlow(place)
    const led = await answerConsent(place, await askFor(place, flow), { decision: 'deny' })
    expect(Object.fromEntries(led.searchParams)).toEqual({
      error: 'access_denied',
      state: 'as it was',
      iss: place.baseUrl,
    })
  })

  test('gets nothing more once it was denied, whatever was allowed before', async ({ place }) => {
    const { alice, workspaceId: workspace } = place.world
    const browser = await place.browserOf(alice)
    const flow = await startFlow(place)
    const { fields } = await openConsent(place, await askFor(place, flow), browser)
    const answers: (string | undefined)[] = []
    let code = ''
    for (const decision of ['allow', 'deny', 'deny', 'allow']) {
      const given = { ...fields, decision, workspace }
      const answer = await place.postForm('/oauth/approve', given, browser)
      const to = new URL((await ledTo(answer)) ?? 'none:').searchParams
      code ||= to.get('code') ?? ''
      answers.push([...to.keys()][0])
    }
    expect(answers).toEqual(['code', 'error', 'error', undefined])
    expect((await exchange(place, flow, code)).status).toBe(400)
  })

  test(
    'is denied by answers that meet and of which one denies',
    { tags: 'large' },
    async ({ place }) => {
      const { alice, workspaceId: workspace } = place.world
      const browser = await place.browserOf(alice)
      for (let round = 0; round < 4; round += 1) {
        const flow = await startFlow(place)
        const { fields } = await openConsent(place, await askFor(place, flow), browser)
        const answers = ['allow', 'deny', 'allow', 'deny'].map(async (decision) => {
          const given = { ...fields, decision, workspace }
          const answer = await place.postForm('/oauth/approve', given, browser)
          const to = new URL((await ledTo(answer)) ?? 'none:').searchParams
          return to.get('code') ?? ''
        })
        const codes = (await Promise.all(answers)).filter((code) => code !== '')
        for (const code of codes) expect((await exchange(place, flow, code)).status).toBe(400)
      }
    },
  )
})

describe('the page on which a person approves', () => {
  test('asks whoever is not signed in to do that first, and leads back', async ({ place }) => {
    const handle = await askFor(place, await startFlow(place))
    const { answer } = await openConsent(place, handle, {})
    expect(answer.status).toBe(303)
    const next = `/oauth/approve?request=${handle}`
    expect(answer.headers.get('location')).toBe(
      `/signin?${new URLSearchParams({ next }).toString()}`,
    )
  })

  test('asks again whoever has approved the same client before', async ({ place }) => {
    await tokenFor(place)
    const answer = await ask(place, (await startFlow(place)).asked)
    expect(answer.headers.get('location')).toMatch(/^\/oauth\/approve\?request=[\w-]{43}$/)
  })

  test('says who asks, where the answer goes, and what is given', async ({ place }) => {
    const browser = await place.browserOf(place.world.alice)
    const { text, answer } = await openConsent(
      place,
      await askFor(place, await startFlow(place)),
      browser,
    )
    expect(text).toContain('calls itself <strong>Agent</strong>')
    expect(text).toContain('<strong>127.0.0.1:7777</strong>')
    expect(text).toContain('a program on this computer')
    expect(text).toContain('launch agents on runners')
    expect(answer.headers.get('content-security-policy')).toContain("form-action 'self';")
    expect(answer.headers.get('x-frame-options')).toBe('DENY')
    expect(answer.headers.get('referrer-policy')).toBe('same-origin')
    expect(answer.headers.has('cross-origin-opener-policy')).toBe(false)
  })

  test('shows a name as a text that changes nothing around it', async ({ place }) => {
    const { asked } = await startFlow(place)
    const browser = await place.browserOf(place.world.alice)
    for (const client_name of ['<img src=x onerror=alert(1)>', '"><script>', 'a\u202Eb\u2066c']) {
      const { client_id } = await registerClient(place, { client_name })
      const answer = await ask(place, { ...asked, client_id })
      const [, handle = ''] = answer.headers.get('location')?.split('request=') ?? []
      const { text } = await openConsent(place, handle, browser)
      expect(text).toMatch(/calls itself <strong>(&lt;img|&quot;&gt;&lt;script|abc)/)
      expect(text).not.toMatch(/<img|<script|\p{Cf}/u)
    }
  })

  test('shows what a workspace is called as a text that changes nothing around it', async ({
    place,
  }) => {
    const { alice } = place.world
    await alice.call('updateWorkspace', { name: '<img>\u202Ea\u2066b\u0007\u200Fc' })
    const handle = await askFor(place, await startFlow(place))
    const { text } = await openConsent(place, handle, await place.browserOf(alice))
    expect(text).toContain('<span>&lt;img&gt;abc, where you are admin</span>')
  })

  test('takes its form from a page of its own, for this person and this request, alone', async ({
    place,
  }) => {
    const { alice, bob, workspaceId: workspace } = place.world
    const browser = await place.browserOf(alice)
    const handle = await askFor(place, await startFlow(place))
    const another = await askFor(place, await startFlow(place))
    const { fields } = await openConsent(place, handle, browser)
    const whole = { ...fields, decision: 'allow', workspace }
    const { cookie = '', ...rest } = browser
    const others = await openConsent(place, handle, await place.browserOf(bob))
    const tries: [Record<string, string>, Record<string, string>][] = [
      [whole, { cookie }],
      [whole, { cookie, origin: 'null' }],
      [whole, { cookie, origin: 'https://evil.example' }],
      [whole, { cookie, ...rest, 'sec-fetch-site': 'cross-site' }],
      [{ ...whole, form_token: '' }, browser],
      [{ ...whole, request: another }, browser],
      [{ ...whole, form_token: others.fields.form_token }, browser],
    ]
    for (const [given, headers] of tries) {
      const answer = await place.postForm('/oauth/approve', given, headers)
      expect([answer.status, answer.headers.get('location')]).toEqual([403, null])
    }
    const json = await place.postJson('/oauth/approve', whole, browser)
    expect([json.status, json.headers.get('location')]).toEqual([415, null])
    expect((await place.postForm('/oauth/approve', whole, browser)).status).toBe(200)
  })

  test('approved twice has one code that is worth something: the last', async ({ place }) => {
    const flow = await startFlow(place)
    const handle = await askFor(place, flow)
    const codes = []
    for (const _ of [1, 2]) {
      codes.push((await answerConsent(place, handle)).searchParams.get('code') ?? '')
    }
    const [first = '', second = ''] = codes
    expect((await exchange(place, flow, first)).status).toBe(400)
    expect((await exchange(place, flow, second)).status).toBe(200)
    expect((await answerConsent(place, handle)).href).toBe('none:')
  })

  test.for([
    ['allow', 'Allowed'],
    ['deny', 'Denied'],
  ] as const)(
    'leads back by a page that says so, and that no cache, frame or script sees: %s',
    async ([decision, title], { place }) => {
      const { alice, workspaceId: workspace } = place.world
      const browser = await place.browserOf(alice)
      const { client_id } = await registerClient(place, { client_name: '<b>"App"' })
      const handle = await askFor(place, await startFlow(place, { client_id }))
      const { fields } = await openConsent(place, handle, browser)
      const given = { ...fields, decision, workspace }
      const answer = await place.postForm('/oauth/approve', given, browser)
      expect([answer.status, answer.headers.get('location')]).toEqual([200, null])
      const { headers } = answer
      const policy = headers.get('content-security-policy')
      expect(policy).toMatch(/^default-src 'none'; style-src 'self';.* form-action 'self';/)
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('x-frame-options')).toBe('DENY')
      const text = await answer.text()
      expect(text).toContain(`<h1>${title}</h1>`)
      expect(text).toContain('Going back to <strong>&lt;b&gt;&quot;App&quot;</strong> …')
      expect(text.replaceAll('&amp;', '&')).toContain(`<a href="${refreshOf(text)}">`)
      expect(text).toContain('you can close this window')
    },
  )

  test('leads nowhere once the request is ten minutes old', async ({ place }) => {
    const handle = await askFor(place, await startFlow(place))
    await place.world.advance(10 * 60 + 1)
    expect((await answerConsent(place, handle)).href).toBe('none:')
  })

  test(
    verifies(
      ['error.invalid-target', 'oauth.resource-approval'],
      'refuses to give access to what is no longer here, also when it was opened before',
    ),
    async ({ place }) => {
      const { db } = place.world.domain
      const { alice } = place.world
      const { workspaceId: workspace } = await alice.actor()
      const flow = await startFlow(place)
      const handle = await askFor(place, flow)
      const browser = await place.browserOf(alice)
      const opened = await openConsent(place, handle, browser)
      expect(opened.answer.status).toBe(200)
      await db
        .updateTable('oauth_requests')
        .set({ resource: 'https://elsewhere.example/mcp' })
        .where('code_challenge', '=', flow.asked['code_challenge'] ?? '')
        .execute()
      const { answer, text } = await openConsent(place, handle, browser)
      expect(answer.status).toBe(400)
      expect(text).toContain('invalid_target')
      const given = { ...opened.fields, decision: 'allow', workspace }
      const allowed = await place.postForm('/oauth/approve', given, browser)
      expect(allowed.status).toBe(400)
      expect(await allowed.text()).toContain('invalid_target')
      const { code_hash: code } = await db
        .selectFrom('oauth_requests')
        .select('code_hash')
        .where('code_challenge', '=', flow.asked['code_challenge'] ?? '')
        .executeTakeFirstOrThrow()
      expect(code).toBeNull()
    },
  )

  test('is for browsers that are signed in: a token opens it for nobody', async ({ place }) => {
    const { token } = place.world.alice
    const answer = await place.get('/oauth/approve', { authorization: `Bearer ${token}` })
    expect(answer.status).toBe(303)
  })
})
