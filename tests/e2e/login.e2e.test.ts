import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@svc/client/client'
import { browse } from '@svc/testing/fetch-pages'
import { signedIn } from '@svc/testing/signed-in'
import { verifies } from '@svc/testing/verifies'
import { describe, expect } from 'vitest'
import { cliMain } from './support/machine.ts'
import { plainEnvironment, startNode } from './support/processes.ts'
import type { Service } from './support/service.ts'
import { temporaryFolder } from './support/temporary.ts'
import { test as base } from './support/test.ts'
import { until } from './support/until.ts'

const path = '/login/approve'

/** A machine on which nobody is signed in, with a browser that only writes down what it is sent to. */
const test = base.extend('machine', async ({ service }, { onCleanup }) => {
  const home = temporaryFolder()
  onCleanup(() => rmSync(home, { recursive: true, force: true }))
  const bin = join(home, 'bin')
  mkdirSync(bin)
  const opened = join(home, 'opened')
  writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\necho "$1" >> '${opened}'\n`)
  chmodSync(join(bin, 'xdg-open'), 0o755)
  const env = {
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    SVC_DATA_DIR: join(home, 'data'),
    PATH: `${bin}:${plainEnvironment().PATH}`,
  }
  return {
    svc: (args: readonly string[], more: NodeJS.ProcessEnv = {}) =>
      startNode(cliMain, args, { env: { ...env, ...more } }),
    login: (args: readonly string[] = [], more: NodeJS.ProcessEnv = {}) =>
      startNode(cliMain, ['login', '--url', service.baseUrl, ...args], {
        env: { ...env, ...more },
      }),
    credentials: join(home, 'config', 'svc', 'credentials.json'),
    opened,
  }
})

type Running = ReturnType<typeof startNode>

async function addressIn(login: Running): Promise<URL> {
  const shown = () => /Open {2}(\S+)/.exec(login.output())?.[1]
  return new URL(await until('svc login shows its address', shown, { told: login.output }))
}

/** What a person does at that address, in a browser of their own. */
async function decide(service: Service, login: Running, decision: 'approve' | 'deny') {
  const address = await addressIn(login)
  const token = await service.token()
  const me = await createClient({ baseUrl: service.baseUrl, token }).call('getMe', {})
  const { baseUrl, domain } = service
  const browser = browse(baseUrl, await signedIn(domain, { userId: me.user.id, baseUrl }))
  const page = address.pathname + address.search
  const shown = await (await browser.get(page)).text()
  const [, code = ''] = /approve the code {2}(\S+)/.exec(login.output()) ?? []
  expect(shown).toContain(code)
  const request = address.searchParams.get('request') ?? ''
  const fields = { request, decision, workspace: me.workspace.id }
  expect((await browser.submit(page, path, fields)).status).toBe(303)
  return { me, shown }
}

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

  test('works over SSH without a browser, and keeps the tokens of other services', async ({
    service,
    machine,
  }) => {
    mkdirSync(join(machine.credentials, '..'), { recursive: true })
    const other = { baseUrl: 'https://other.example', token: 'other' }
    writeFileSync(machine.credentials, JSON.stringify(other), { mode: 0o600 })
    const login = machine.login([], { DISPLAY: ':7', SSH_CONNECTION: '192.0.2.1 1 192.0.2.2 22' })
    await decide(service, login, 'approve')
    await login.ended
    expect(existsSync(machine.opened)).toBe(false)
    const kept = () => JSON.parse(readFileSync(machine.credentials, 'utf8'))
    expect(kept()).toMatchObject({ baseUrl: service.baseUrl, others: [other] })

    await machine.svc(['logout']).ended
    expect(kept()).toEqual(other)
    const again = machine.svc(['logout', '--url', service.baseUrl])
    expect((await again.ended).code).toBe(3)
  })

  test('waits for a service that is away for a while', async ({ service, machine }) => {
    const login = machine.login()
    await addressIn(login)
    await service.api().killNow()
    await service.start()
    await decide(service, login, 'approve')
    expect((await login.ended).code).toBe(0)
  })
})
