import { limits } from '@svc/contracts/limits'
import type { EndpointContract } from '@svc/contracts/rest/endpoint'
import { z } from 'zod'
import { checkJsonShape, withoutFields } from './json-shape.ts'
import { readJson, readOctets } from './read-body.ts'
import type { HttpContext } from './request-context.ts'
import { type FieldProblem, check, validationFailed } from './validation.ts'

export type Input = Record<string, unknown>

const nothing = z.strictObject({})

/** One object of all parts of the request. Path parameters go in last, so no body can change what the path names. */
export async function parseInput(contract: EndpointContract, context: HttpContext): Promise<Input> {
  const problems: FieldProblem[] = []
  const given = { params: context.req.param(), query: readQuery(context, problems) }
  checkJsonShape(given)
  const params = check(contract.params ?? nothing, given.params, problems)
  const query = check(contract.query ?? nothing, given.query, problems)
  const headers = check(contract.headers ?? nothing, readHeaders(contract, context), problems)
  if (problems.length > 0) throw validationFailed(problems)
  const body = await parseBody(contract, context.req.raw)
  return { ...headers, ...query, ...body, ...params }
}

function readQuery(context: HttpContext, problems: FieldProblem[]): Record<string, string> {
  const entries = Object.entries(context.req.queries())
  for (const [path, values] of entries) {
    if (values.length > 1) problems.push({ path, message: 'give it once' })
  }
  return Object.fromEntries(entries.map(([name, [value = '']]) => [name, value]))
}

function readHeaders(contract: EndpointContract, context: HttpContext): Record<string, string> {
  const names = Object.keys(contract.headers?.shape ?? {})
  const given = names.map((name) => [name, context.req.header(name)] as const)
  return Object.fromEntries(
    given.filter((header): header is [string, string] => header[1] !== undefined),
  )
}

async function parseBody(contract: EndpointContract, request: Request): Promise<Input | undefined> {
  if (contract.method === 'GET' || contract.method === 'DELETE') return undefined
  const maxBytes = contract.bodyBytes ?? limits.jsonBodyBytes
  if (contract.body === 'bytes') return { bytes: await readOctets(request, maxBytes) }
  const json = await readJson(request, maxBytes)
  checkJsonShape(withoutFields(json, contract.advice))
  const problems: FieldProblem[] = []
  const body = check<Input>(contract.body ?? nothing, json, problems)
  if (problems.length > 0) throw validationFailed(problems)
  return body
}
