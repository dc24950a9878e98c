import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from '@svc/domain/testing/hooked-world'
import { describe, expect, onTestFinished } from 'vitest'

const folder = join(import.meta.dirname, '../examples/webhooks')
const languages = [
  { name: 'Node', program: process.execPath, args: ['consumer.mjs'], asked: ['--version'] },
  { name: 'Python', program: 'python3', args: ['consumer.py'], asked: ['--version'] },
  { name: 'Go', program: 'go', args: ['run', 'consumer.go'], asked: ['version'] },
] as const

function isThere({ program, asked }: (typeof languages)[number]): boolean {
  try {
    execFileSync(program, asked, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** A consumer that runs, and the lines that it has printed for what it handled. */
async function startConsumer({ program, args }: (typeof languages)[number], secret: string) {
  const child: ChildProcess = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  onTestFinished(async () => {
    const ended = once(child, 'exit')
    // what `go run` has started ends with it
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    await ended
  })
  const handled: string[] = []
  const listening = Promise.withResolvers<number>()
  if (child.stdout === null) throw new Error('its output is a pipe')
  createInterface({ input: child.stdout }).on('line', (line) => {
    const [, port] = /^listening on (\d+)$/.exec(line) ?? []
    if (port === undefined) handled.push(line)
    else listening.resolve(Number(port))
  })
  return { url: `http://127.0.0.1:${await listening.promise}/`, handled }
}

/** Its status. */
async function post(url: string, header: string, body: string): Promise<number> {
  const headers = { 'x-svc-signature': header, 'content-type': 'application/json' }
  return (await fetch(url, { method: 'POST', headers, body })).status
}

describe.for(languages)('the consumer in $name', (language) => {
  test.skipIf(!isThere(language))(
    'handles what a webhook brings once, and nothing that is not signed just now',
    async ({ hooked }) => {
      const { subscribe, moveMission, deliverDue, receiver, log } = hooked
      const subscription = await subscribe()
      const { url, handled } = await startConsumer(language, subscription.secret)
      // what the dispatcher sends goes on to the consumer as it is, and its answer comes back
      receiver.answer((received, response) => {
        const header = String(received.headers['x-svc-signature'])
        void post(url, header, received.raw.toString()).then((status) =>
          response.writeHead(status).end(),
        )
      })
      await moveMission()
      await deliverDue()
      const [delivery] = await log(subscription)
      expect(delivery).toMatchObject({ state: 'delivered', tries: [{ status: 204 }] })
      await expect.poll(() => handled).toEqual([`mission.status_changed ${delivery?.id}`])

      const [sent] = receiver.posts
      const body = sent?.raw.toString() ?? ''
      const signed = (seconds: number, secret = subscription.secret) => {
        const time = Math.floor(Date.now() / 1_000) + seconds
        return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`
      }
      expect(await post(url, signed(0), body)).toBe(204)
      expect(await post(url, signed(0, 'whsec_other'), body)).toBe(401)
      expect(await post(url, signed(-400), body)).toBe(401)
      expect(await post(url, signed(400), body)).toBe(401)
      expect(await post(url, signed(0), `${body} `)).toBe(401)
      expect(await post(url, `${signed(0)},t=1`, body)).toBe(401)
      expect(await post(url, 'nothing', body)).toBe(401)
      // one that closes its connection before it has all of it may be seen to have done so
      const tooLarge = post(url, signed(0), 'x'.repeat(2_000_000))
      expect(await tooLarge.catch(() => 413)).toBe(413)
      expect(handled).toHaveLength(1)
    },
  )
})
