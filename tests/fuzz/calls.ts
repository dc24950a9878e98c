import type { Domain } from '@svc/domain/domain'
import { furnish } from '@svc/domain/testing/furnished'
import { type Operation, personOperations, publicOperations } from '@svc/domain/testing/operations'
import { personWith } from '@svc/domain/testing/people'
import { signedIn } from '@svc/domain/testing/signed-in'
import { type EntryPointTemplate, entryPointRequest } from './entry-point-templates.ts'
import { makeInputs, signInAs } from './entry-point-inputs.ts'
import { judge } from './judge.ts'
import { judgeEntryPoint } from './judge-entry-point.ts'
import { type Sent, requestOf } from './request.ts'
import type { Answer } from './send.ts'
import type { RequestTemplate } from './request-templates.ts'

/** One round of the fuzz: the service that it calls, and the person who calls. */
export interface FuzzRound {
  domain: Domain
  baseUrl: string
  userId: string
  /** A token of an admin. */
  token: string
  index: number
}

/** A request that is still to be made, and what its answer must be. */
export interface FuzzCall {
  who: string
  prepare: () => Promise<Sent>
  judge: (sent: Sent, answer: Answer) => string | undefined
}

export async function operationCalls(
  round: FuzzRound,
  templates: readonly RequestTemplate[],
): Promise<FuzzCall[]> {
  const { domain, token } = round
  const furnished = await furnish({ domain }, personWith(domain, token))
  return templates.map((template) => ({
    who: `${template.operation.name} by ${template.via}`,
    prepare: async () =>
      requestOf(template, {
        token,
        browser: await browserFor(round, template.operation),
        furnished,
      }),
    judge: (sent, answer) => judge(template, sent, answer),
  }))
}

/** Undefined where a token is shown. */
async function browserFor({ domain, userId, baseUrl }: FuzzRound, operation: Operation) {
  if (publicOperations.includes(operation)) return {}
  return personOperations.includes(operation) ? signedIn(domain, { userId, baseUrl }) : undefined
}

export async function entryPointCalls(
  round: FuzzRound,
  templates: readonly EntryPointTemplate[],
): Promise<FuzzCall[]> {
  const { domain, baseUrl, userId, token, index: number } = round
  const network = networkOf(number, 0)
  const inputs = await makeInputs(domain, {
    baseUrl,
    token,
    network,
    hasPassword: number % 2 === 1,
  })
  return templates.map((template, index) => ({
    who: template.entryPoint.name,
    prepare: async () => {
      const { about } = template.entryPoint
      const signedIn = about && (await signIn(domain, { userId, baseUrl, about: about(inputs) }))
      return entryPointRequest(template, {
        inputs,
        baseUrl,
        signedIn,
        network: networkOf(number, index + 1),
      })
    },
    judge: (_sent, answer) => judgeEntryPoint(template, { baseUrl, inputs }, answer),
  }))
}

/** The cookie, and the token of a form that was shown to this browser. */
async function signIn(
  domain: Domain,
  { userId, baseUrl, about }: { userId: string; baseUrl: string; about: string },
) {
  const { id, secret } = await signInAs(domain, userId)
  const { mac } = domain.keys.mac('forms', `${id} ${about}`)
  const cookie = `svc_session_${new URL(baseUrl).port}=${secret}`
  return { cookie, formToken: mac.toString('base64url') }
}

function networkOf(round: number, index: number): string {
  return `2001:db8:${(round % 65_536).toString(16)}:${index.toString(16)}::1`
}
