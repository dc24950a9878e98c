import {
  type AgentName,
  type Entry,
  type Mode,
  type StartCommand,
  agentTool,
  serverName,
} from './agent-tools.ts'
import { type ConfigFile, readConfig, unusable } from './config-file.ts'
import {
  type ConfigSyntax,
  type Path,
  Uneditable,
  Unparsable,
  isTable,
  putEntry,
  removeEntry,
  valueAt,
} from './config-syntax.ts'
import { json, jsonc } from './json-syntax.ts'
import { toml } from './toml-syntax.ts'

const syntaxes: Readonly<Record<'json' | 'jsonc' | 'toml', ConfigSyntax>> = { json, jsonc, toml }

export type Connection = { mode: 'hosted'; url: string } | { mode: 'local'; start: StartCommand }

export interface Plan {
  file: ConfigFile
  /** As it stands, and as it is to be. */
  mode: Mode | undefined
  text: string
  outcome: 'added' | 'changed' | 'removed' | 'already so' | 'not there'
}

export function entryFor(name: AgentName, connection: Connection): Entry {
  const tool = agentTool(name)
  return connection.mode === 'hosted' ? tool.hosted(connection.url) : tool.local(connection.start)
}

/** What the file is to say, so that the agent finds the service; nothing is written. */
export function planSetUp(name: AgentName, path: string, connection: Connection): Plan {
  const { file, syntax, at, found } = look(name, path)
  const { also = {}, only, older = [] } = agentTool(name)
  const { mode } = connection
  const entry = entryFor(name, connection)
  const others = mode === 'hosted' ? only.local : only.hosted
  const drop = [...others, ...older].filter((key) => !Object.hasOwn(entry, key))
  const set = found === undefined ? { ...entry, ...also } : entry
  const text = edited(file, () => putEntry(syntax, file.text, at, { set, drop }))
  if (found === undefined) return { file, mode, text, outcome: 'added' }
  return { file, mode, text, outcome: text === file.text ? 'already so' : 'changed' }
}

/** As `planSetUp`, for taking it out again. */
export function planRemoval(name: AgentName, path: string): Plan {
  const { file, syntax, at, found } = look(name, path)
  if (found === undefined) return { file, mode: undefined, text: file.text, outcome: 'not there' }
  const text = edited(file, () => removeEntry(syntax, file.text, at))
  return { file, mode: modeOf(found), text, outcome: 'removed' }
}

interface Looked {
  file: ConfigFile
  syntax: ConfigSyntax
  at: Path
  found: Readonly<Record<string, unknown>> | undefined
}

function look(name: AgentName, path: string): Looked {
  const { table, within, syntax: written } = agentTool(name)
  const file = readConfig(path)
  const syntax = syntaxes[written]
  const settings = readSettings(file, syntax)
  const isWithin = within !== undefined && isTable(valueAt(settings, [table, within]))
  const servers = isWithin ? [table, within] : [table]
  const at = [...servers, serverName]
  for (const [index] of at.entries()) {
    const prefix = at.slice(0, index + 1)
    const value = valueAt(settings, prefix)
    if (value === undefined || isTable(value)) continue
    throw unusable(`${prefix.join('.')} in ${path} is no table: correct it and try again.`)
  }
  const found = valueAt(settings, at)
  if (!isTable(found)) return { file, syntax, at, found: undefined }
  if (modeOf(found) !== undefined) return { file, syntax, at, found }
  throw unusable(
    `${at.join('.')} in ${path} is not of this service: give it another name, and try again.`,
  )
}

function readSettings(file: ConfigFile, syntax: ConfigSyntax) {
  try {
    return syntax.parse(file.text)
  } catch (error) {
    if (!(error instanceof Unparsable)) throw error
    const { line, message } = error
    throw unusable(
      `${file.path} cannot be read at line ${line} (${message}): correct it and try again. Nothing was changed.`,
      error,
    )
  }
}

/** Ours by what it leads to: an address that ends in /mcp, or a command of ours. */
function modeOf(entry: Readonly<Record<string, unknown>>): Mode | undefined {
  const addresses = [entry['url'], entry['httpUrl']].map(String)
  if (addresses.some((url) => URL.canParse(url) && new URL(url).pathname.endsWith('/mcp')))
    return 'hosted'
  const words = [entry['command'], entry['args']].flat().map(String)
  const isOurs = words.some((word) =>
    /(^|[\\/])(svc|svc[\\/]dist[\\/]main\.js|apps[\\/]cli[\\/]src[\\/]main\.ts)$/.test(word),
  )
  return isOurs && words.includes('mcp') ? 'local' : undefined
}

function edited({ path }: ConfigFile, edit: () => string): string {
  try {
    return edit()
  } catch (error) {
    if (!(error instanceof Uneditable)) throw error
    throw unusable(
      `${path} cannot be edited as it is written: ${error.message}, and try again. Nothing was changed.`,
      error,
    )
  }
}
