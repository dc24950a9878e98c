import { describeTools } from '@svc/contracts/mcp/describe-tool'
import { widgetUri } from '@svc/contracts/mcp/widget'
import { toolContract, toolInstructions } from '@svc/contracts/mcp/tools'
import type { ToolName } from '@svc/contracts/mcp/tools'
import { openApiDocument } from '@svc/contracts/openapi/document'
import { code, codes, page, table } from './markdown.ts'
import { type JsonSchema, fieldsOf, meaningOf, typeOf } from './schema-words.ts'

const document = openApiDocument()

interface Described {
  operationId: string
  description?: string
  tags: string[]
  parameters?: {
    $ref?: string
    in?: string
    name?: string
    required?: boolean
    description?: string
    schema?: JsonSchema
  }[]
  requestBody?: Body
  responses: Record<string, Body>
}

interface Body {
  content?: Record<string, { schema?: JsonSchema }>
}

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    call: `${method.toUpperCase()} ${path}`,
    // each method of a path holds what the document says of it
    operation: operation as Described,
  })),
)

/** Those of the agents have pages of their own. */
const ofAgents = ['agent protocol', 'tools']

export function restPage(): string {
  const tags = [...new Set(operations.flatMap(({ operation }) => operation.tags))]
  return page(
    'REST',
    'Every address of the API with what it takes and answers. `GET /api/openapi.json` says the same to programs, and `/api/docs` shows it in a browser. The [agent protocol](protocol.md) and the [tools](tools.md) have pages of their own. The endpoints of OAuth, for clients of `/mcp`, are described at `/.well-known/oauth-authorization-server`; what an app says of its health is told [with monitoring](monitoring.md#without-anything-else).',
    'A call that got no answer is safe to send again: where its entry says that it is keyed, under the `Idempotency-Key` header of the first try, since the same call under the same key is done once; any other as it is. What is refused is answered as in [errors](errors.md).',
    ...tags.filter((tag) => !ofAgents.includes(tag)).map(section),
    '## Shapes',
    ...Object.entries(document.components.schemas).map(
      ([name, schema]) => `### ${name}\n\n${shapeTable(schema)}`,
    ),
  )
}

function section(tag: string): string {
  const parts = operations
    .filter(({ operation }) => operation.tags.includes(tag))
    .map(({ call, operation }) =>
      [
        `### ${code(call)}`,
        `${code(operation.operationId)}. ${operation.description ?? 'For everybody.'}${isKeyed(operation) ? ' Keyed.' : ''}`,
        ...inputTable(operation),
        answersOf(operation),
      ].join('\n\n'),
    )
  return [`## ${tag.charAt(0).toUpperCase()}${tag.slice(1)}`, ...parts].join('\n\n')
}

function isKeyed({ parameters = [] }: Described): boolean {
  return parameters.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey'))
}

function inputTable({ parameters = [], requestBody }: Described): string[] {
  const [given] = Object.entries(requestBody?.content ?? {})
  const ofParameters = parameters
    .filter(({ name }) => name !== undefined)
    .map(({ in: place = '', name = '', required, description, schema = {} }) =>
      row(place, { name, isRequired: required ?? false, schema: { ...schema, description } }),
    )
  const body = fieldsOf(given?.[1].schema ?? {}).map((field) => row('body', field))
  const bytes = given && !given[1].schema ? [['body', code(given[0]), '', 'yes', '']] : []
  const rows = [...ofParameters, ...body, ...bytes]
  return rows.length > 0 ? [table(['in', 'field', 'type', 'required', 'meaning'], rows)] : []
}

interface Field {
  name: string
  isRequired: boolean
  schema: JsonSchema
}

function row(place: string, { name, isRequired, schema }: Field): string[] {
  return [place, code(name), typeOf(schema), isRequired ? 'yes' : '', meaningOf(schema)]
}

function answersOf({ responses }: Described): string {
  return Object.entries(responses)
    .filter(([status]) => status !== 'default')
    .map(([status, { content }]) => {
      const [type, { schema } = {}] = Object.entries(content ?? {})[0] ?? []
      const fields = fieldsOf(schema ?? {}).map(
        (it) => `${code(it.name)}${it.isRequired ? '' : '?'}: ${typeOf(it.schema)}`,
      )
      if (fields.length > 0) return `Answers ${status} with ${fields.join(', ')}.`
      return `Answers ${status}${schema ? ` with ${typeOf(schema)}` : type ? ` with ${code(type)}` : ''}.`
    })
    .join(' ')
}

function shapeTable(schema: JsonSchema): string {
  const fields = fieldsOf(schema)
  if (fields.length === 0) return typeOf(schema)
  const rows = fields.map(({ name, schema: of, isRequired }) => [
    code(name),
    typeOf(of),
    isRequired ? '' : 'yes',
  ])
  return table(['field', 'type', 'may be absent'], rows)
}

const hintNames = {
  readOnlyHint: 'reads only',
  destructiveHint: 'destructive',
  idempotentHint: 'idempotent',
  openWorldHint: 'acts outside of the service',
} as const

export function toolsPage(): string {
  const tools = describeTools()
  return page(
    'Tools',
    'What an agent can call at `/mcp`, through the local connector `svc mcp`, or as `POST /api/tools/<name>`. `?` marks what an answer may leave out.',
    '## What a client reads first',
    toolInstructions,
    '## All tools',
    table(
      ['tool', 'does', 'permission'],
      // the list is made of the tools of these names
      tools.map(({ name, title }) => [
        `[${name}](#${name})`,
        title,
        code(toolContract(name as ToolName).permission),
      ]),
    ),
    ...tools.map((tool) => {
      const hints = Object.entries(hintNames).flatMap(([hint, words]) =>
        tool.annotations[hint as keyof typeof hintNames] ? [words] : [],
      )
      const fields = fieldsOf(tool.inputSchema)
      const rows = fields.map((field) => row('', field).slice(1))
      const { widget } = toolContract(tool.name as ToolName)
      return [
        `## ${tool.name}`,
        tool.description,
        ...(hints.length > 0 ? [`Hints: ${hints.join(', ')}.`] : []),
        ...(widget ? [`A client of MCP Apps shows the result by ${code(widgetUri(widget))}.`] : []),
        ...(rows.length > 0 ? [table(['argument', 'type', 'required', 'meaning'], rows)] : []),
        `Answers ${codes(fieldsOf(tool.outputSchema).map((it) => it.name + (it.isRequired ? '' : '?')))}.`,
      ].join('\n\n')
    }),
  )
}
