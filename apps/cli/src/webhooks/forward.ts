import type { RouteOutput } from '@svc/contracts/rest'
import { deliveryHeaders } from '@svc/webhooks/headers'
import { z } from 'zod'

type Event = RouteOutput<'listWebhookEvents'>['events'][number]

export interface Forwarded {
  outcome: 'delivered' | 'failed'
  status: number | null
  /** Why there is no status. */
  error: string | null
  milliseconds: number
  /** How the answer begins. */
  answer: string
}

/** As long as a webhook has. spec: Limits, row Attempt timeout */
const attemptMs = 10_000
const shownBytes = 1_024

const Body = z.object({ workspace: z.object({ id: z.string() }) })

/** One attempt by the rules of the service: no redirect is followed. Nothing once the command ends. */
export async function forward(
  url: string,
  secret: string,
  { id, type, body }: Event,
  ending: AbortSignal,
): Promise<Forwarded | undefined> {
  const begun = performance.now()
  const timestamp = Math.floor(Date.now() / 1_000)
  const { workspace } = Body.parse(JSON.parse(body))
  const delivery = { secret, timestamp, body, type, deliveryId: id, workspaceId: workspace.id }
  const signal = AbortSignal.any([ending, AbortSignal.timeout(attemptMs)])
  const since = () => Math.round(performance.now() - begun)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: deliveryHeaders(delivery),
      body,
      redirect: 'manual',
      signal,
    })
    const { status, ok } = response
    const milliseconds = since()
    // the head has decided, whatever its body does
    const answer = await beginningOf(response)
    return { outcome: ok ? 'delivered' : 'failed', status, error: null, milliseconds, answer }
  } catch (error) {
    if (ending.aborted) return undefined
    const milliseconds = since()
    return { outcome: 'failed', status: null, error: reasonOf(error), milliseconds, answer: '' }
  }
}

async function beginningOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of body ?? []) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= shownBytes) break
    }
  } catch {
    // what came before it broke off is shown
  }
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, shownBytes))
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return 'timeout'
  const { cause } = error
  if (cause instanceof Error && 'code' in cause) return String(cause.code)
  return cause instanceof Error ? cause.message : error.message
}
