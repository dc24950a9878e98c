import { existsSync, readFileSync, statSync } from 'node:fs'
import { createClient } from '@svc/client/client'
import { verifies } from '@svc/testing/verifies'
import { describe, expect } from 'vitest'
import { decide, test } from './support/login.ts'

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
})
