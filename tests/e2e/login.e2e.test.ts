import { existsSync, readFileSync, statSync } from 'node:fs'
import { createClient } from '@svc/client/client'
import { verifies } from '@svc/testing/verifies'
import { describe, expect } from 'vitest'
import { addressIn, decide, test } from './support/login.ts'
import { until } from './support/until.ts'

describe('svc login', () => {
  test(
    verifies('auth.mint-cli-login', 'gets a token that svc works with, until svc logout ends it'),
    async ({ service, machine }) => {
      const login = machine.login(['--json', '--no-browser'], { DISPLAY: ':7' })
      const { me } = await decide(service, login, 'approve')
      expect((await login.ended).code).toBe(0)
      expect(existsSync(machine.opened)).toBe(false)
      expect(JSON.parse(login.stdout())).toMatchObject({
        baseUrl: service.baseUrl,
        user: { id: me.user.id },
        workspace: { id: me.workspace.id },
        token: { preset: 'full' },
      })
      expect(statSync(machine.credentials).mode & 0o777).toBe(0o600)
      const { token } = JSON.parse(readFileSync(machine.credentials, 'utf8'))
      expect(login.output()).not.toContain(token)

      const whoami = machine.svc(['whoami', '--json'])
      expect((await whoami.ended).code).toBe(0)
      expect(JSON.parse(whoami.stdout())).toMatchObject({ user: { id: me.user.id } })

      const logout = machine.svc(['logout'])
      expect((await logout.ended).code).toBe(0)
      expect(logout.stdout()).toContain('the token is dead')
      expect(existsSync(machine.credentials)).toBe(false)
      const dead = createClient({ baseUrl: service.baseUrl, token }).call('getMe', {})
      await expect(dead).rejects.toMatchObject({ code: 'unauthenticated' })
    },
  )

  test('opens a browser where there is a screen, at the address that it prints', async ({
    service,
    machine,
  }) => {
    const login = machine.login(['--workspace', 'here'], { DISPLAY: ':7' })
    const address = await addressIn(login)
    expect(address.searchParams.get('workspace')).toBe('here')
    await until('the browser is opened', () => existsSync(machine.opened))
    await until('its address is there', () => readFileSync(machine.opened, 'utf8').includes('\n'))
    expect(readFileSync(machine.opened, 'utf8')).toBe(`${address.href}\n`)
    await decide(service, login, 'deny')
    expect((await login.ended).code).toBe(3)
    expect(login.output()).toContain('denied: It was denied.')
    expect(existsSync(machine.credentials)).toBe(false)
  })
})
