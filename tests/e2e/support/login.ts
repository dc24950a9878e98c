import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@svc/client/client'
import { browse } from '@svc/testing/fetch-pages'
import { signedIn } from '@svc/domain/testing/signed-in'
import { expect } from 'vitest'
import { programs } from './programs.ts'
import { plainEnvironment, startNode } from './processes.ts'
import type { Service } from './service.ts'
import { ofPerson, temporaryFolder } from '@svc/testing/temporary'
import { test as base } from './test.ts'
import { until } from './until.ts'

const path = '/login/approve'

/** A machine on which nobody is signed in, with a browser that only writes down what it is sent to. */
export const test = base.extend('machine', async ({ service }, { onCleanup }) => {
  const folder = temporaryFolder(ofPerson)
  onCleanup(() => folder[Symbol.dispose]())
  const home = folder.path
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
      startNode(programs.svc, args, { env: { ...env, ...more } }),
    login: (args: readonly string[] = [], more: NodeJS.ProcessEnv = {}) =>
      startNode(programs.svc, ['login', '--url', service.baseUrl, ...args], {
        env: { ...env, ...more },
      }),
    credentials: join(home, 'config', 'svc', 'credentials.json'),
    opened,
  }
})

type Running = ReturnType<typeof startNode>

export async function addressIn(login: Running): Promise<URL> {
  const shown = () => /Open {2}(\S+)/.exec(login.output())?.[1]
  return new URL(await until('svc login shows its address', shown, { details: login.output }))
}

/** What a person does at that address, in a browser of their own: somebody new, or who they were before, in another workspace. */
export async function decide(
  service: Service,
  login: Running,
  decision: 'approve' | 'deny',
  as?: { userId: string; workspaceId: string },
) {
  const address = await addressIn(login)
  const { baseUrl, domain } = service
  const me = await createClient({ baseUrl, token: await service.token() }).call('getMe', {})
  const userId = as?.userId ?? me.user.id
  const browser = browse(baseUrl, await signedIn(domain, { userId, baseUrl }))
  const page = address.pathname + address.search
  const shown = await (await browser.get(page)).text()
  const [, code = ''] = /approve the code {2}(\S+)/.exec(login.output()) ?? []
  expect(shown).toContain(code)
  const request = address.searchParams.get('request') ?? ''
  const fields = { request, decision, workspace: as?.workspaceId ?? me.workspace.id }
  expect((await browser.submit(page, path, fields)).status).toBe(303)
  return { me, shown }
}
