import type { Composed, Composer } from '@svc/domain/deliveries/composer'
import { type Policy, createPolicy } from '@svc/outbound/policy'
import { type SendResult, send } from '@svc/outbound/send'
import { ConfigurationError, variable } from '@svc/process/env'
import { z } from 'zod'

export const ComposerEnvironment = z.object({
  SVC_COMPOSER_URL: variable('SVC_COMPOSER_URL').optional(),
  SVC_COMPOSER_MODEL: variable('SVC_COMPOSER_MODEL').optional(),
  SVC_COMPOSER_KEY: variable('SVC_COMPOSER_KEY').optional(),
})
export type ComposerEnvironment = z.infer<typeof ComposerEnvironment>

const defaultTimeoutMs = 60_000
/** A presentation of the largest size, with every character of it escaped. */
const answerBytes = 512 * 1024

/** What of a chat completion is read. */
const Completion = z.object({
  choices: z.tuple(
    [
      z.object({
        message: z.object({ content: z.string() }),
        finish_reason: z.string().nullish(),
      }),
    ],
    z.unknown(),
  ),
})

/** The configured OpenAI-compatible API, and no other address; nothing where none is configured. */
export function openComposer(
  environment: ComposerEnvironment,
  timeoutMs = defaultTimeoutMs,
): Composer | undefined {
  const { SVC_COMPOSER_URL: base, SVC_COMPOSER_MODEL: model, SVC_COMPOSER_KEY: key } = environment
  if (base === undefined) return undefined
  if (model === undefined) {
    throw new ConfigurationError(
      'Correct the environment: SVC_COMPOSER_MODEL is required with SVC_COMPOSER_URL.',
    )
  }
  const policy = policyFor(new URL(base))
  return {
    async compose({ instructions, material, signal }) {
      const messages = [
        { role: 'system', content: instructions },
        { role: 'user', content: material },
      ]
      const result = await send({
        url: `${base}/chat/completions`,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify({ model, messages, stream: false }),
        timeoutMs,
        answerBytes,
        signal,
        policy,
      })
      return read(result)
    },
  }
}

/** Wherever the operator says that it is, but for link-local addresses and the like. */
function policyFor({ host }: URL): Policy {
  return createPolicy({ allowedHosts: `${host}=0.0.0.0/0,${host}=::/0` })
}

function read({ outcome, headers, body, truncated }: SendResult): Composed {
  if (outcome !== 'success') {
    const asked = headers.find(([name]) => name === 'retry-after')?.[1] ?? ''
    const wait = /^\d{1,6}$/.test(asked) && { retryAfterSeconds: Number(asked) }
    return { ok: false, why: `the composer answered ${outcome}`, ...wait }
  }
  if (truncated) return { ok: false, why: 'the answer of the composer is too long, or was cut' }
  const completion = Completion.safeParse(parseJson(body))
  if (!completion.success) return { ok: false, why: 'the answer is no chat completion with a text' }
  const [{ message, finish_reason: reason }] = completion.data.choices
  if (reason === 'length' || reason === 'content_filter') {
    return { ok: false, why: `the composer ended early: ${reason}` }
  }
  return { ok: true, text: message.content }
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
