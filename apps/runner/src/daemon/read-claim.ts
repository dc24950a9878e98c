import type { z } from 'zod'
import { cutText } from '@svc/contracts/cut-text'
import { Uuid } from '@svc/contracts/ids'
import { ClaimAnswer, LeaseToken } from '@svc/contracts/runner'
import { sayIssue } from '@svc/contracts/say-issue'
import type { DaemonContext } from './claim.ts'

const mostIssues = 3
const pathCharacters = 100

/** An answer to a claim of which nothing may be used. */
export interface UnusableClaim {
  /** What is wrong with it, without a word of its own. */
  problem: string
  /** By which its order can be refused; undefined where it names no run. */
  held: { requestId: string; leaseToken: string } | undefined
}

/**
 * What a claim was answered with, whole. A runner makes folders, branches and commands of it, so that nothing is used
 * before all of it was found to be in its form.
 */
export function readClaim(
  answered: unknown,
  { agentToken }: Pick<DaemonContext, 'agentToken'>,
): ClaimAnswer | UnusableClaim {
  const parsed = parseKnown(answered)
  if (!parsed.success) return { problem: sayProblem(parsed.error), held: heldOf(answered) }
  const { request, leaseToken } = parsed.data
  if (request === null) return parsed.data
  if (leaseToken === undefined) return { problem: 'its lease is missing', held: undefined }
  const isMissing = agentToken === 'minted' && parsed.data.agentToken === undefined
  if (isMissing) return { problem: 'the token of its agent is missing', held: heldOf(answered) }
  return parsed.data
}

/** The answer without the fields that only a later version of the service sends: this runner does not know them. */
function parseKnown(answered: unknown) {
  const parsed = ClaimAnswer.safeParse(answered, { error: sayIssue })
  const issues = parsed.error?.issues ?? []
  const unknown = issues.filter((issue) => issue.code === 'unrecognized_keys')
  if (unknown.length === 0 || unknown.length < issues.length) return parsed
  const known = structuredClone(answered)
  for (const { path, keys } of unknown) {
    const holder = path.reduce(property, known)
    for (const key of keys) Reflect.deleteProperty(Object(holder), key)
  }
  return ClaimAnswer.safeParse(known, { error: sayIssue })
}

function sayProblem({ issues }: z.ZodError): string {
  const said = issues.slice(0, mostIssues).map(({ path, message }) => {
    const where = path.map(String).filter((part) => part !== 'request')
    return [cutText(where.join('.'), pathCharacters), message].filter(Boolean).join(': ')
  })
  return said.join('; ')
}

function heldOf(answered: unknown): UnusableClaim['held'] {
  const request = property(property(answered, 'request'), 'executionRequest')
  const requestId = Uuid.safeParse(property(request, 'id'))
  const leaseToken = LeaseToken.safeParse(property(answered, 'leaseToken'))
  if (!requestId.success || !leaseToken.success) return undefined
  return { requestId: requestId.data, leaseToken: leaseToken.data }
}

function property(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? // hasOwn just said so.
      (value as Record<PropertyKey, unknown>)[key]
    : undefined
}
