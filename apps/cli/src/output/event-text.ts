/**
 * What a person reads of a line that an agent has printed. Lines of the event streams of Claude Code (`stream-json`) and
 * Codex (`exec --json`) and messages of the Agent Client Protocol become readable text, or nothing where they hold none;
 * any other line is left as it is.
 */
export function readableLine(line: string): string | undefined {
  const event = parsed(line)
  const describe = event && describerOf(event)
  if (event === undefined || describe === undefined) return line
  const lines = describe(event)
  return lines.length === 0 ? undefined : lines.join('\n')
}

function describerOf(event: Event): Describe | undefined {
  if (event['jsonrpc'] === '2.0') return describeMessage
  const type = text(event['type'])
  return type !== undefined && Object.hasOwn(known, type) ? known[type] : undefined
}

type Event = Readonly<Record<string, unknown>>

type Describe = (event: Event) => string[]

const nothing = () => []

const known: Readonly<Record<string, Describe>> = {
  // Claude Code
  system: ({ subtype, model, error }) => {
    if (subtype === 'init') return [`Started with ${text(model) ?? 'its own model'}.`]
    return subtype === 'api_retry' ? failed(error) : []
  },
  assistant: ({ message }) => contentOf(message).flatMap(describeAssistant),
  user: ({ message }) => contentOf(message).flatMap(describeToolResult),
  // the text of a good end is that of the message before it
  result: ({ is_error, result, errors }) =>
    is_error === true ? failed(result ?? listOf(errors)[0]) : [],
  stream_event: nothing,
  rate_limit_event: nothing,
  // Codex
  'thread.started': nothing,
  'turn.started': nothing,
  'turn.completed': nothing,
  'turn.failed': ({ error }) => failed(objectOf(error)['message']),
  'item.started': nothing,
  'item.updated': nothing,
  'item.completed': ({ item }) => describeItem(objectOf(item)),
  error: ({ message }) => failed(message),
}

/** What was decided of a request for a permission stands in a line of its own. */
function describeMessage({ method, params, error }: Event): string[] {
  const { update, toolCall } = objectOf(params)
  if (method === 'session/update') return describeUpdate(objectOf(update))
  if (method === 'session/request_permission') {
    return texts(objectOf(toolCall)['title']).map((title) => `? ${title}`)
  }
  return failed(objectOf(error)['message'])
}

function describeUpdate(update: Event): string[] {
  switch (update['sessionUpdate']) {
    case 'agent_message_chunk':
      return texts(objectOf(update['content'])['text']).map((said) => said.replace(/\n$/, ''))
    case 'tool_call':
      return texts(update['title']).map((title) => `> ${title}`)
    case 'tool_call_update':
      return update['status'] === 'failed' ? failed(update['title'] ?? 'The tool failed.') : []
    case 'plan':
      return listOf(update['entries']).map(objectOf).flatMap(describeStep)
    default:
      return []
  }
}

const stepMarks: Readonly<Record<string, string>> = { completed: '[x]', in_progress: '[>]' }

function describeStep({ content, status }: Event): string[] {
  return texts(content).map((step) => `${stepMarks[text(status) ?? ''] ?? '[ ]'} ${step}`)
}

function describeAssistant({ type, text: said, name, input }: Event): string[] {
  if (type === 'text') return texts(said)
  return type === 'tool_use' ? [called(text(name) ?? 'a tool', objectOf(input))] : []
}

function describeToolResult({ type, is_error, content }: Event): string[] {
  if (type !== 'tool_result' || is_error !== true) return []
  const said = text(content) ?? text(objectOf(listOf(content)[0])['text'])
  return failed(said ?? 'The tool failed.')
}

function describeItem(item: Event): string[] {
  switch (item['type']) {
    case 'agent_message':
      return texts(item['text'])
    case 'command_execution': {
      const code = item['exit_code']
      const ended = typeof code === 'number' && code !== 0 ? ` (exit code ${code})` : ''
      return [`> ${text(item['command']) ?? 'a command'}${ended}`]
    }
    case 'file_change': {
      const paths = listOf(item['changes']).flatMap((change) => texts(objectOf(change)['path']))
      return [`> changed ${paths.join(', ')}`]
    }
    case 'mcp_tool_call':
      return [`> ${[item['server'], item['tool']].flatMap(texts).join('.')}`]
    case 'error':
      return failed(item['message'])
    default:
      return []
  }
}

const mostOfInput = 300

/** A command is shown as it is, and for any other tool what it works on. */
function called(name: string, input: Event): string {
  const what = text(input['command']) ?? text(input['file_path']) ?? JSON.stringify(input)
  return `> ${name}: ${what.length > mostOfInput ? `${what.slice(0, mostOfInput)}…` : what}`
}

function failed(said: unknown): string[] {
  return texts(said).map((line) => `error: ${line}`)
}

function contentOf(message: unknown): Event[] {
  const { content } = objectOf(message)
  return typeof content === 'string'
    ? [{ type: 'text', text: content }]
    : listOf(content).map(objectOf)
}

function parsed(line: string): Event | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    return objectOf(JSON.parse(line))
  } catch {
    return undefined
  }
}

function objectOf(value: unknown): Event {
  // An object that is no list has names and values.
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Event)
    : {}
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function texts(value: unknown): string[] {
  const said = text(value)
  return said === undefined || said.trim() === '' ? [] : [said]
}
