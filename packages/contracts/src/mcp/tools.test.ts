import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { describeTools } from './describe-tool.ts'
import { permissions } from '../permissions.ts'
import {
  type AgentCall,
  type ProtocolOperation,
  protocolContract,
  protocolOperations,
} from '../protocol.ts'
import { restContracts } from '../rest.ts'
import type { AnyToolContract } from './tool-contract.ts'
import {
  type ToolName,
  toolContractVersion,
  toolContracts,
  toolInstructions,
  toolNames,
} from './tools.ts'

const contracts: [string, AnyToolContract][] = Object.entries(toolContracts)
const listed = describeTools()

describe('every tool', () => {
  test('has the name of its key and of its file', () => {
    const files = readdirSync(join(import.meta.dirname, 'tools')).map((file) =>
      file.replace(/\.ts$/, ''),
    )
    expect(contracts.map(([, { name }]) => name)).toEqual(toolNames)
    expect(
      toolNames.map((name) => name.slice('svc_'.length).replaceAll('_', '-')).toSorted(),
    ).toEqual(files.toSorted())
  })

  test.each(contracts)('%s says in 300 characters what it does', (_, { description }) => {
    expect(description.length).toBeGreaterThan(80)
    expect(description.length).toBeLessThanOrEqual(300)
  })

  test.each(contracts)('%s names no tool that is not there', (_, { description }) => {
    const named = description.match(/svc_\w+/g) ?? []
    expect(named.filter((name) => !toolNames.includes(name as ToolName))).toEqual([])
  })

  test.each(contracts)('%s asks a permission that exists', (_, { permission }) => {
    expect(permissions).toContain(permission)
  })

  test.each(listed)('$name states all four hints [tool.safety-annotation]', ({ annotations }) => {
    const { title: _title, ...hints } = annotations
    expect(Object.values(hints).every((hint) => typeof hint === 'boolean')).toBe(true)
    expect(Object.keys(hints)).toHaveLength(4)
  })

  test.each(listed)(
    '$name has an input schema that is one strict object [tool.input-schema]',
    ({ inputSchema }) => {
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
      expect(Object.keys(inputSchema)).not.toEqual(
        expect.arrayContaining(['oneOf', 'anyOf', 'allOf']),
      )
      expect(looseObjects(inputSchema)).toEqual([])
    },
  )

  test.each(listed)('$name has an output schema [tool.output-schema]', ({ outputSchema }) => {
    expect(outputSchema.type).toBe('object')
    expect(Object.keys(outputSchema['properties'] ?? {}).length).toBeGreaterThan(0)
  })

  test.each(listed)('$name has schemas in which nothing refers elsewhere', (tool) => {
    expect(JSON.stringify(tool)).not.toMatch(/\$ref|\$defs|\$schema/)
  })

  test.each(contracts)('%s refuses an argument that it does not know', (_, { input }) => {
    const { issues = [] } = input.safeParse({ nobody_knows: 1 }).error ?? {}
    expect(issues).toContainEqual(
      expect.objectContaining({ code: 'unrecognized_keys', keys: ['nobody_knows'] }),
    )
  })

  test('touches no local file, claim, execution target or branch [mcp.no-local-files] [mcp.no-claim] [mcp.no-target-mutation] [mcp.no-branch-actions]', () => {
    const names = listed.flatMap(({ name, inputSchema }) => [name, ...argumentNames(inputSchema)])
    const local =
      /branch|path|folder|directory|worktree|checkout|claim|lease|runner|resource|target|device/i
    expect(names.filter((name) => local.test(name))).toEqual([])
    const asked = contracts.map(([, { permission }]) => permission)
    expect(asked.filter((permission) => /claim|report|configure/.test(permission))).toEqual([])
  })
})

test('one list is told to everybody, and is that of contract version 0 [version.contract-0]', async () => {
  expect(toolContractVersion).toBe(0)
  await expect(JSON.stringify(listed, null, 2)).toMatchFileSnapshot('./tool-list.v0.json')
})

test('the list is told in 48 KiB, and how much of it a model reads', () => {
  const lines = listed
    .toSorted((one, other) => bytesOf(other) - bytesOf(one))
    .map((tool) => `${bytesOf(tool)}\t${bytesOf(readOf(tool))}\t${tool.name}`)
  const sums = `${bytesOf(listed)}\t${bytesOf(listed.map(readOf))}\ttools/list`
  process.stdout.write(`${['whole\tread\ttool', ...lines, sums].join('\n')}\n`)
  expect(bytesOf(listed)).toBeLessThan(48 * 1024)
  expect(new TextEncoder().encode(toolInstructions).length).toBeLessThanOrEqual(1536)
})

describe('an operation that stands in several places', () => {
  const alike = {
    permission: true,
    input: true,
    bodyBytes: true,
    counts: true,
    advice: true,
    slow: true,
    reportsChanges: true,
  } satisfies Record<keyof Omit<AgentCall, 'output'>, true>
  // its own keys
  const traits = Object.keys(alike) as (keyof typeof alike)[]

  /** With tools one asks in an update, and each call is a sign of life. */
  const withoutTool: ProtocolOperation[] = ['heartbeat', 'ask']

  test('has a tool with the traits of its row', () => {
    const isTool = (operation: ProtocolOperation) =>
      contracts.some(([, tool]) =>
        traits.every((trait) => tool[trait] === protocolContract(operation)[trait]),
      )
    expect(protocolOperations.filter((operation) => !isTool(operation))).toEqual(withoutTool)
  })

  test.each([
    ['svc_create_project', 'createProject'],
    ['svc_create_mission', 'createMission'],
    ['svc_create_inbox_item', 'createInboxItem'],
    ['svc_launch_objective', 'launchObjective'],
    ['svc_update_objective', 'updateObjective'],
  ] as const)('%s reads its arguments as REST does', (tool, route) => {
    const own: Record<string, unknown> = toolContracts[tool].input.shape
    const rest: Record<string, unknown> = restContracts[route].body.shape
    const shared = Object.keys(own).filter(
      (name) => Object.hasOwn(rest, name) && name !== 'objectives',
    )
    expect(shared.length).toBeGreaterThan(0)
    expect(shared.filter((name) => own[name] !== rest[name])).toEqual([])
    expect(toolContracts[tool].permission).toBe(restContracts[route].permission)
  })
})

/** What a client shows to its model; titles, output schemas and hints are for the client itself. */
function readOf({ name, description, inputSchema }: (typeof listed)[number]) {
  return { name, description, inputSchema }
}

function bytesOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length
}

type Schema = Record<string, unknown>
const Schemas = z.record(z.string(), z.record(z.string(), z.unknown()))

/** Objects within an input that would take any key; reports and the items of rationales are the only ones. */
function looseObjects(schema: Schema, path = ''): string[] {
  if (path === '.changeRationales[]' || path.startsWith('.report')) return []
  const own = schema['type'] === 'object' && schema['additionalProperties'] !== false ? [path] : []
  const properties = Object.entries(Schemas.parse(schema['properties'] ?? {}))
  const items = schema['items'] ? looseObjects(schema['items'] as Schema, `${path}[]`) : []
  return [
    ...own,
    ...items,
    ...properties.flatMap(([name, inner]) => looseObjects(inner, `${path}.${name}`)),
  ]
}

function argumentNames(schema: Schema): string[] {
  const properties = Object.entries(Schemas.parse(schema['properties'] ?? {}))
  const items = schema['items'] ? argumentNames(schema['items'] as Schema) : []
  return [...items, ...properties.flatMap(([name, inner]) => [name, ...argumentNames(inner)])]
}
