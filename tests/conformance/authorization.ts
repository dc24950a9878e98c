import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { ledTo } from '@svc/testing/led-to'
import { freePort } from '@svc/testing/free-port'
import type { Service } from './open-service.ts'

/** The suite as a client that asks for access, and a person who is signed in and lets it in. */
export async function runAuthorization(
  suite: string,
  service: Service,
  results: string,
): Promise<{ passed: boolean; said: string }> {
  // where the suite listens for what a person has answered
  const port = String(await freePort())
  const clientId = await register(service, `http://127.0.0.1:${port}/callback`)
  const resource = `${service.url}/mcp`
  const args = ['--url', service.url, '--client-id', clientId, '--resource', resource, '-p', port]
  const child = spawn(
    process.execPath,
    [suite, 'authorization', ...args, '-o', join(results, 'authorization')],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const said: string[] = []
  const ended = once(child, 'exit')
  const approving: Promise<void>[] = []
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      said.push(line)
      const [address] = /http:\/\/\S+\/oauth\/authorize\?\S+/.exec(line) ?? []
      if (address !== undefined) approving.push(approve(service, new URL(address)))
    })
  }
  const [code] = await ended
  await Promise.all(approving)
  return { passed: code === 0, said: said.join('\n') }
}

async function register({ url }: Service, callback: string): Promise<string> {
  const answer = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'suite', redirect_uris: [callback] }),
  })
  const { client_id: id } = (await answer.json()) as { client_id: string } // RFC 7591
  return id
}

async function approve({ url, owner }: Service, address: URL): Promise<void> {
  const asked = await fetch(address, { redirect: 'manual' })
  const page = new URL(asked.headers.get('location') ?? '', url)
  const shown = await fetch(page, { headers: owner.browser })
  const [, formToken = ''] = /name="form_token" value="([^"]+)"/.exec(await shown.text()) ?? []
  const answer = await fetch(new URL(page.pathname, url), {
    method: 'POST',
    redirect: 'manual',
    headers: owner.browser,
    body: new URLSearchParams({
      request: page.searchParams.get('request') ?? '',
      form_token: formToken,
      workspace: owner.workspaceId,
      decision: 'allow',
    }),
  })
  await fetch((await ledTo(answer)) ?? '')
}
