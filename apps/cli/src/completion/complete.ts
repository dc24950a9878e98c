import type { Argument, Command, Option } from 'commander'
import { type Cli, credentialsOf } from '../cli.ts'
import { oneLine } from '../output/terminal.ts'
import { type Cursor, cursorAfter, nameOf, readOption } from './cursor.ts'
import { type Candidate, type Completion, sources } from './sources.ts'

/** Whose line is completed, and how long the service may take to say what only it knows. */
interface Asking {
  readonly cli: Cli
  readonly withinMs: number
}

/** What may stand for the last of the words, from what the help is printed from. */
export async function complete(
  asking: Asking,
  program: Command,
  words: readonly string[],
): Promise<Completion> {
  const typed = words.at(-1) ?? ''
  const cursor = cursorAfter(program, words.slice(0, -1))
  const found = await thatMayFollow(asking, cursor, typed)
  // A name of somebody else's with controls in it would not arrive as it is.
  const fits = ({ value }: Candidate) => value.startsWith(typed) && value === oneLine(value)
  return { ...found, candidates: found.candidates.filter(fits) }
}

async function thatMayFollow(asking: Asking, cursor: Cursor, typed: string): Promise<Completion> {
  const { command, wanted, takesCommands, takesOptions } = cursor
  if (takesOptions && typed.startsWith('-')) {
    const { name, option, value } = readOption(command, typed)
    if (!option || value === undefined) return { candidates: optionsOf(command), ending: 'closed' }
    return behind(`${name}=`, await valuesOf(asking, cursor, { wanted: option, typed: value }))
  }
  if (wanted) return valuesOf(asking, cursor, { wanted, typed })
  return { candidates: takesCommands ? commandsOf(command) : [], ending: 'closed' }
}

function optionsOf(command: Command): Candidate[] {
  const help = command.createHelp()
  const visible = [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)]
  return visible.flatMap(({ long, description }) =>
    long ? [{ value: long, about: description }] : [],
  )
}

function commandsOf(command: Command): Candidate[] {
  const visible = command.createHelp().visibleCommands(command)
  return visible.map((one) => ({ value: one.name(), about: one.description() }))
}

interface Value {
  wanted: Option | Argument
  typed: string
}

async function valuesOf(
  asking: Asking,
  cursor: Cursor,
  { wanted, typed }: Value,
): Promise<Completion> {
  const name = nameOf(wanted)
  if (wanted.argChoices) {
    const candidates = wanted.argChoices.map((value) => ({ value }))
    const before = name.includes(',') ? typed.slice(0, typed.lastIndexOf(',') + 1) : ''
    return behind(before, { candidates, ending: 'closed' })
  }
  if (name === 'path') return { candidates: [], ending: 'files' }
  return ask(asking, cursor, { name, typed })
}

/** Nothing where nothing is known, or the service says nothing in time: an error has no business in a shell that completes a line. */
async function ask(
  asking: Asking,
  { given }: Cursor,
  { name, typed }: { name: string; typed: string },
): Promise<Completion> {
  try {
    const found = await sources[name]?.({
      client: await hurriedClient(asking, given),
      given,
      typed,
    })
    if (found) return found
  } catch {
    // said above
  }
  return { candidates: [], ending: 'closed' }
}

async function hurriedClient({ cli, withinMs }: Asking, given: Cursor['given']) {
  const [url, tokenFile, workspace] = [
    given.get('url'),
    given.get('token-file'),
    given.get('workspace'),
  ]
  const settings = {
    ...cli.settings,
    ...(url && { url }),
    ...(tokenFile && { tokenFile }),
    ...(workspace && { workspace }),
  }
  const { baseUrl, token } = await credentialsOf({ ...cli, settings })
  const { createClient } = await import('@svc/client/client')
  const signal = AbortSignal.timeout(withinMs)
  return createClient({ baseUrl, token, signal, retry: { attempts: 1 } })
}

function behind(prefix: string, { candidates, ending }: Completion): Completion {
  return { ending, candidates: candidates.map((one) => ({ ...one, value: prefix + one.value })) }
}
