// A consumer of webhooks with Node alone:  WEBHOOK_SECRET=whsec_… PORT=3000 node consumer.mjs
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const { WEBHOOK_SECRET: secret, PORT: port = '3000' } = process.env
const mostBytes = 1024 * 1024
const toleranceSeconds = 300
/** The ids of what was handled, the oldest first. Keep them in your database where your process has siblings. */
const handled = new Set()

/** Whether the body was signed with the secret just now. */
function isSigned(header, body) {
  const parts = (header ?? '').split(',').map((part) => part.trim().split('='))
  const times = parts.filter(([name]) => name === 't').map(([, value]) => value)
  const signatures = parts.filter(([name]) => name === 'v1').map(([, value]) => value)
  if (times.length !== 1 || !/^\d{1,12}$/.test(times[0])) return false
  if (Math.abs(Date.now() / 1000 - Number(times[0])) > toleranceSeconds) return false
  const expected = createHmac('sha256', secret).update(`${times[0]}.`).update(body).digest('hex')
  return signatures.some(
    (one) =>
      one.length === expected.length && timingSafeEqual(Buffer.from(one), Buffer.from(expected)),
  )
}

/** Your work. It is called once for each delivery that this process has seen. */
function handle(event) {
  console.log(`${event.type} ${event.id}`)
}

const server = createServer(async (request, response) => {
  const chunks = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > mostBytes) return response.writeHead(413).end()
    chunks.push(chunk)
  }
  const body = Buffer.concat(chunks)
  if (!isSigned(request.headers['x-svc-signature'], body)) return response.writeHead(401).end()
  const event = JSON.parse(body)
  // by the id in the body: the header with the same is not signed
  if (!handled.has(event.id)) {
    handle(event)
    handled.add(event.id)
    if (handled.size > 10_000) handled.delete(handled.values().next().value)
  }
  response.writeHead(204).end()
})

if (!secret) throw new Error('Set WEBHOOK_SECRET to the secret of the webhook: whsec_…')
server.listen(Number(port), '127.0.0.1', () => console.log(`listening on ${server.address().port}`))
