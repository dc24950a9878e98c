import { expect } from 'vitest'
import { password, test } from './testing/set-up-place.ts'

test('the first owner sets name and password by the link, is signed in, and the link is gone', async ({
  place: { baseUrl, send, owner, link },
}) => {
  const shown = await fetch(link)
  expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining('olga@')])
  const token = new URL(link).searchParams.get('token') ?? ''

  for (const email of ['', 'olga', 'Alice@example.com']) {
    const refused = await send('/setup', { token, name: 'Olga', email, password })
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining('E-mail address: '),
    ])
  }

  const short = await send('/setup', { token, name: '<b>Olga</b>', password: 'short' })
  expect(short.status).toBe(400)
  const form = await short.text()
  expect(form).toContain('Password: use at least 15 characters')
  expect(form).toContain('&lt;b&gt;Olga&lt;/b&gt;')
  expect(form).not.toContain('short')

  const email = 'olga@elsewhere.example'
  const done = await send('/setup', { token, name: 'Olga', email, password })
  expect([done.status, done.headers.get('location')]).toEqual([303, '/'])
  const cookie = done.headers.get('set-cookie')?.split(';')[0] ?? ''
  const account = await fetch(`${baseUrl}/account`, { headers: { cookie } })
  expect(await account.text()).toContain(
    'Signed in as <strong>Olga</strong>, olga@elsewhere.example',
  )

  const used = await fetch(link)
  expect(used.status).toBe(404)
  expect(await used.text()).toContain('<a href="/">Sign in, or go on in your workspace</a>')
  expect((await send('/setup', { token, name: 'Eve', password })).status).toBe(404)
  expect((await fetch(`${baseUrl}/setup`)).status).toBe(404)

  const { entries } = await owner.call('listAudit', {})
  expect(entries.slice(0, 2)).toMatchObject([
    { action: 'sign_in.started', actor: { name: 'Olga' }, details: { by: 'set-up link' } },
    {
      action: 'owner.set_up',
      from: '127.0.0.1',
      tokenPrefix: null,
      details: { name: 'Olga', email },
    },
  ])
})

test(
  'the trail says who signed in and out, who could not, and who changed a password',
  { tags: 'large' },
  async ({ place: { baseUrl, send, owner } }) => {
    const email = 'olga@elsewhere.example'
    await send('/signin', { email, password: 'not the one it is' })
    const signedIn = await send('/signin', { email, password })
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
    const change = (currentPassword: string) =>
      fetch(`${baseUrl}/api/me/password`, {
        method: 'PUT',
        headers: { cookie, origin: baseUrl, 'content-type': 'application/json' },
        body: JSON.stringify({ currentPassword, newPassword: 'another few quiet words' }),
      })
    expect((await change('not the one it is')).status).toBe(403)
    expect((await change(password)).status).toBe(204)
    const account = await (await fetch(`${baseUrl}/account`, { headers: { cookie } })).text()
    const [, formToken = ''] = /name="form_token" value="([^"]+)"/.exec(account) ?? []
    await send('/signout', { form_token: formToken }, { cookie })

    const { entries } = await owner.call('listAudit', {})
    expect(entries.slice(0, 4).map(({ action, actor }) => [action, actor?.name])).toEqual([
      ['sign_in.ended', 'Olga'],
      ['password.changed', 'Olga'],
      ['sign_in.started', 'Olga'],
      ['sign_in.failed', undefined],
    ])
    expect(entries[3]).toMatchObject({ actor: null, details: { name: 'Olga' } })
    expect(JSON.stringify(entries)).not.toContain('quiet words')
  },
)

test(
  'a form with what nobody types is refused with a reason',
  { tags: 'large' },
  async ({ place: { send } }) => {
    const nasty = ['a\u0000b', '\ud800', '\u202e', "';--", 'x'.repeat(60_000), '<script>', '%00']
    const statuses: number[] = []
    for (const email of nasty) {
      for (const [path, fields] of [
        ['/signin', { email, password: email, next: email }],
        ['/setup', { token: email, name: email, password: email }],
      ] as const) {
        const answer = await send(path, fields, { 'x-forwarded-for': '192.0.2.99' })
        expect(await answer.text()).not.toContain('<script>')
        statuses.push(answer.status)
      }
    }
    expect(statuses.filter((status) => ![400, 403, 404, 413].includes(status))).toEqual([])
  },
)
