import { resolve } from 'node:path'
import { type Rights, covers } from '@svc/contracts/rights'
import { parseShellCommand, type SimpleCommand, type Word } from './shell-command.ts'

/** What an agent wants to do, as its request for a permission says it. */
export interface WantedCall {
  kind: string
  title: string
  /** The line for a shell; undefined where it is none, or where the request does not say. */
  command: string | undefined
  /** The working directory: relative paths and the command start from it. */
  directory: string
  /** The files that the call would read or change. */
  paths: readonly string[]
}

/** What the run is given, and where. */
export interface RunRights {
  rights: Rights
  /** Plain words that a command may begin with. */
  allowedCommands: readonly string[]
  /** Whether a whole path lies in a working tree of the run, and not in what Git keeps there. */
  isInside: (path: string) => boolean
}

/** `ask`: neither covered by the rights of the run nor forbidden by them, so that a person decides. */
export type Verdict = 'allow' | 'refuse' | 'ask'

/** What a call takes: rights, or more than any but `all` covers. */
type Needed = Rights | 'unknown_command' | 'outside'

const reading = ['read', 'search', 'think', 'fetch']
const writing = ['edit', 'delete', 'move']

/**
 * What each level of rights refuses outright. Anything else that it does not cover becomes a question to a person, call by
 * call: `read` refuses all of that, and `edit` all but what only `all` covers.
 */
const forbids: Record<Rights, (needed: Needed) => boolean> = {
  read: () => true,
  edit: (needed) => needed !== 'all',
  work: () => false,
  all: () => false,
}

/** Pure: whether the rights of the run cover the call. */
export function judgeCall(call: WantedCall, run: RunRights): Verdict {
  if (run.rights === 'all') return 'allow'
  const needed = neededFor(call, run)
  const isCovered =
    needed !== 'unknown_command' && needed !== 'outside' && covers(run.rights, needed)
  if (isCovered) return 'allow'
  return forbids[run.rights](needed) ? 'refuse' : 'ask'
}

function neededFor(call: WantedCall, run: RunRights): Needed {
  const isInside = (path: string) => run.isInside(resolve(call.directory, path))
  if (call.command !== undefined) return neededForLine(call.command, { ...run, isInside })
  if (reading.includes(call.kind)) return 'read'
  if (writing.includes(call.kind)) {
    return call.paths.length > 0 && call.paths.every(isInside) ? 'edit' : 'outside'
  }
  return call.kind === 'execute' ? 'unknown_command' : 'all'
}

function neededForLine(line: string, run: RunRights): Needed {
  const commands = parseShellCommand(line)
  if (commands === undefined || commands.length === 0) return 'unknown_command'
  // behind a change of folder a relative path lies elsewhere
  const changes = commands.filter(({ words }) => words[0] === 'cd')
  const staysHere = changes.length === 0
  const needs = commands.map((command): Needed => {
    const isInside = (path: string) => (staysHere || path.startsWith('/')) && run.isInside(path)
    if (!command.writesTo.every(isInside)) return 'outside'
    const needed = neededForCommand(command, run)
    if (needed === 'edit' && !staysInside(changes, run)) return 'outside'
    return needed === 'read' && command.writesTo.length > 0 ? 'edit' : needed
  })
  return needs.reduce(moreOf)
}

/** Whether a command of Git works in a working tree of the run, at most one change of folder behind where it begins. */
function staysInside(
  [change, ...more]: readonly SimpleCommand[],
  { isInside }: Pick<RunRights, 'isInside'>,
): boolean {
  if (change === undefined) return isInside('.')
  const [, target, ...others] = change.words
  const isOne = more.length === 0 && others.length === 0
  return isOne && typeof target === 'string' && !target.startsWith('-') && isInside(target)
}

const order: readonly Needed[] = ['read', 'edit', 'work', 'unknown_command', 'outside', 'all']

function moreOf(one: Needed, other: Needed): Needed {
  return order.indexOf(one) < order.indexOf(other) ? other : one
}

/** Programs of which no option writes a file or starts another program, save some of `printf` and `test`, below. */
const onlyRead = [
  'basename',
  'cat',
  'cd',
  'cut',
  'dirname',
  'echo',
  'false',
  'grep',
  'head',
  'ls',
  'nl',
  'printf',
  'pwd',
  'realpath',
  'stat',
  'tail',
  'test',
  'tr',
  'true',
  'wc',
  'which',
]

const gitReads = ['blame', 'diff', 'log', 'ls-files', 'rev-parse', 'show', 'status']
/** Options of Git by which one that reads writes, or runs what a configuration names. */
const gitWrites = /^--(?:out|ext-diff|textconv)/

/** The ways in which `printf` and `test` set a variable, or run what stands in its index, as in `-v 'a[$(id)]'`. */
function setsVariable(words: readonly Word[]): boolean {
  return words.some((word) => word === null || /^-v|%[^a-z%]*n/i.test(word))
}

function neededForCommand({ words }: SimpleCommand, { allowedCommands }: RunRights): Needed {
  const [program, ...rest] = words
  // other commands of svc start programs that files name, which the agent may write
  if (program === 'svc') return rest[0] === 'protocol' ? 'read' : 'work'
  if ((program === 'printf' || program === 'test') && setsVariable(rest)) return 'unknown_command'
  if (typeof program === 'string' && onlyRead.includes(program)) return 'read'
  if (program === 'git') return neededForGit(rest)
  return allowedCommands.some((allowed) => beginsWith(words, allowed.split(' ')))
    ? 'work'
    : 'unknown_command'
}

function neededForGit([verb, ...rest]: readonly Word[]): Needed {
  if (verb === 'add' || verb === 'commit') return 'edit'
  const isReading = typeof verb === 'string' && gitReads.includes(verb)
  const isPlain = rest.every((word) => word !== null && !gitWrites.test(word))
  return isReading && isPlain ? 'read' : 'unknown_command'
}

function beginsWith(words: readonly Word[], allowed: readonly string[]): boolean {
  return allowed.every((word, at) => words[at] === word)
}
