import { describeTools } from '@svc/contracts/mcp/describe-tool'
import type { ToolName } from '@svc/contracts/mcp/tools'
import type { Tables } from '@svc/db/tables'
import { authenticate } from '@svc/domain/access/authenticate'
import type { Domain } from '@svc/domain/domain'
import { callTool } from '@svc/domain/handlers/tools'
import { openProcess, sealKeys, secretKeys } from '@svc/domain/testing/open-process'
import { personWith } from '@svc/domain/testing/people'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { BareOrder, Statement } from './mcp-bare.ts'
import { setUpOwner } from './tokens.ts'

export interface BenchWorld {
  tokens: string[]
  /** The arguments of each tool that is called. */
  inputs: Partial<Record<ToolName, Record<string, unknown>>>
  order: BareOrder
}

const tools = ['svc_resolve_project', 'svc_load_mission_context'] as const
const tokenCount = 250
const poolSize = 10

/** A mission to read, tokens to read it with, and the statements that reading it takes. */
export async function setUpWorld(databaseUrl: string): Promise<BenchWorld> {
  await using domain = await openProcess(databaseUrl, { notify: false })
  await sealKeys(domain)
  const { tokens } = await setUpOwner(domain, tokenCount)
  const [token = ''] = tokens
  const inputs = await fill(domain, token)
  const recorded = await record(domain, databaseUrl, token, inputs)
  return {
    tokens,
    inputs,
    order: { databaseUrl, secretKeys, poolSize, tools: describeTools(), ...recorded },
  }
}

async function fill(domain: Domain, token: string): Promise<BenchWorld['inputs']> {
  const { call } = personWith(domain, token)
  const { project } = await call('createProject', { name: 'Bench' })
  const objectives = Array.from({ length: 5 }, (_, index) => ({
    title: `Objective ${index + 1}`,
    instruction: 'Read what is there, change what must be changed, and run the tests. '.repeat(4),
  }))
  const order = { projectId: project.id, title: 'Read under load', objectives }
  const { mission } = await call('createMission', order)
  return {
    svc_resolve_project: { query: project.slug },
    svc_load_mission_context: { missionId: mission.displayId },
  }
}

/** What the service asks the database for one look at a token and for one call of each tool. */
async function record(
  domain: Domain,
  databaseUrl: string,
  token: string,
  inputs: BenchWorld['inputs'],
): Promise<Pick<BareOrder, 'tokenStatement' | 'calls'>> {
  let statements: Statement[] = []
  await using db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: databaseUrl }) }),
    log: ({ query: { sql, parameters } }) => void statements.push({ sql, parameters }),
  })
  const recording = { ...domain, db }
  const actor = await authenticate(recording, token, 'mcp')
  const [tokenStatement] = statements
  if (!tokenStatement) throw new Error('no statement was seen that looks up the token')
  const calls: BareOrder['calls'] = {}
  for (const name of tools) {
    statements = []
    const output = await callTool({ domain: recording }, actor, name, inputs[name] ?? {})
    calls[name] = { statements, output }
  }
  return { tokenStatement, calls }
}
