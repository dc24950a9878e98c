import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { routeHandlers } from '@svc/domain/handlers/routes'
import { describe, expect } from 'vitest'
import { addressIn, decide, test } from './support/login.ts'
import { scriptedAgentMain } from './support/agents.ts'
import { until } from './support/until.ts'

describe('svc login', () => {
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

  test('to a second workspace leaves the first one and its runner at work, and has a runner beside it', async ({
    service,
    machine,
  }) => {
    const first = machine.login(['--no-browser'])
    const { me } = await decide(service, first, 'approve')
    await first.ended
    const { workspace: side } = await routeHandlers.createWorkspace(
      { domain: service.domain },
      {
        userId: me.user.id,
        userName: me.user.name,
        email: me.user.email,
        signIn: { id: '', expiresAt: new Date() },
      },
      { slug: 'side', name: 'Side' },
    )
    const runner = (...words: string[]) =>
      machine.svc([...words, 'runner', 'start'], { SVC_SCRIPTED_AGENT: scriptedAgentMain })
    const works = (one: ReturnType<typeof runner>) =>
      until('the runner works', () => one.output().includes('The runner works for'), {
        details: one.output,
      })
    const ofFirst = runner()
    await works(ofFirst)

    const second = machine.login(['--no-browser', '--workspace', 'side'])
    await decide(service, second, 'approve', { userId: me.user.id, workspaceId: side.id })
    await second.ended
    const ofSecond = runner('--workspace', 'side')
    await works(ofSecond)
    expect(ofFirst.isOver()).toBe(false)

    const whoIn = async (...words: string[]) => {
      const asked = machine.svc([...words, 'whoami', '--json'])
      await asked.ended
      return JSON.parse(asked.stdout()).workspace.slug
    }
    expect(await whoIn()).toBe('side')
    expect(await whoIn('--workspace', 'here')).toBe('here')
    await Promise.all([ofFirst.killNow(), ofSecond.killNow()])
  })

  test('waits for a service that is away for a while', async ({ service, machine }) => {
    const login = machine.login()
    await addressIn(login)
    await service.api().killNow()
    await service.start()
    await decide(service, login, 'approve')
    expect((await login.ended).code).toBe(0)
  })

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
