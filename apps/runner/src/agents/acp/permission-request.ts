import { basename, resolve } from 'node:path'
import { limits } from '@svc/contracts/limits'
import type { QuestionAnswer, QuestionOption } from '@svc/contracts/question'
import { cutText } from '@svc/contracts/cut-text'
import type { RequestPermissionOutcome, RequestPermissionRequest } from './connection.ts'
import type { WantedCall } from './judge-call.ts'
import { type Message, listOf, objectOf, textOf } from './message.ts'

type Option = RequestPermissionRequest['options'][number]

/** More is not shown to a person whole, who would allow what nobody has read. */
const mostOfCommand = 4_000
const mostPaths = 20

/** What the agent wants to do, by its request and what it has said of the same call before. */
export function wantedCall(asked: Message, earlier: Message, cwd: string): WantedCall {
  const of = (key: string) => asked[key] ?? earlier[key]
  const input = objectOf(of('rawInput'))
  const kind = textOf(of('kind')) ?? (input['command'] === undefined ? 'other' : 'execute')
  const title = textOf(of('title')) ?? textOf(of('name')) ?? 'a tool'
  const folders = ['cwd', 'workdir', 'dir', 'directory', 'dir_path']
  return {
    kind,
    title,
    command: kind === 'execute' ? (commandIn(input) ?? commandInTitle(title)) : undefined,
    directory: resolve(cwd, ...folders.flatMap((key) => textOf(input[key]) ?? []).slice(0, 1)),
    paths: pathsOf(of, input),
  }
}

function pathsOf(of: (key: string) => unknown, input: Message): string[] {
  const named = ['path', 'file_path', 'filePath', 'filepath', 'absolute_path', 'destination']
  const lists = [of('locations'), of('content')].flatMap(listOf)
  const found = [...lists.map((one) => objectOf(one)['path']), ...named.map((key) => input[key])]
  return [...new Set(found.flatMap((path) => textOf(path) ?? []))]
}

/** A line for a shell, as the one argument of a shell or by itself; or a program with its arguments. */
function commandIn({ command }: Message): string | undefined {
  if (typeof command === 'string') return command
  const words = listOf(command)
  if (words.length === 0 || !words.every((word) => typeof word === 'string')) return undefined
  const [program = '', option = '', line] = words
  const isShell = /^(?:ba|z|da)?sh$/.test(basename(program)) && /^-l?c$/.test(option)
  if (isShell && words.length === 3) return line
  return words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ')
}

/**
 * Where an agent tells the command by its title alone, which may end with the folder in brackets and a description in
 * parentheses. The whole title may as well be the command, so these are left out only where a shell would run nothing more
 * for them: words in brackets are arguments, and what stands in parentheses behind a word is an error of syntax. All of the
 * title is judged otherwise, and a person asked.
 */
function commandInTitle(title: string): string {
  const pattern = /^([^]*?)(?: \[(?:in|current working directory) ([^\]\n]*)\])?(?: \(([^\n]*)\))?$/
  const [, command = title, folder = '', description] = pattern.exec(title) ?? []
  const isArguments = !/[;&|<>()`$\\"'#]/.test(folder)
  return isArguments && (description === undefined || isBehindWord(command, description))
    ? command
    : title
}

/** Behind an operator stands a subshell; empty parentheses make the word a function, which what follows may define. */
function isBehindWord(command: string, description: string): boolean {
  return /[^;&|<>(){}\s][ \t]*$/.test(command) && !/^\s*\)/.test(description)
}

const kindsOf = {
  allow: ['allow_once', 'allow_always'],
  refuse: ['reject_once', 'reject_always'],
} as const

/**
 * Chooses, among the options that the agent offers, the one that grants least: for this one call where there is such a one.
 */
export function choose(
  options: readonly Option[],
  decision: 'allow' | 'refuse',
): RequestPermissionOutcome {
  const chosen = kindsOf[decision]
    .map((kind) => options.find((option) => option.kind === kind))
    .find((option) => option !== undefined)
  return chosen === undefined ? cancelled : selected(chosen)
}

export const cancelled: RequestPermissionOutcome = { outcome: 'cancelled' }

function selected({ optionId }: Option): RequestPermissionOutcome {
  return { outcome: 'selected', optionId }
}

/** What a person is asked, and what each of the answers means to the agent. */
export interface PermissionQuestion {
  question: string
  options: QuestionOption[]
  outcomeOf: (answer: QuestionAnswer) => RequestPermissionOutcome
}

/** Whether a person can be shown all that would be done. */
export function isShownWhole({ title, command, paths }: WantedCall): boolean {
  return (command ?? title).length <= mostOfCommand && paths.length <= mostPaths
}

/** `shown` makes of a text of the agent what people may read. */
export function questionOf(
  agent: string,
  call: WantedCall,
  options: readonly Option[],
  shown: (text: string) => string,
): PermissionQuestion {
  const offered = options.slice(0, limits.questionOptions)
  const ids = offered.map((option, at) => idOf(option, at))
  return {
    question: shown(describe(agent, call)),
    options: offered.map(({ name, optionId }, at) => ({
      id: ids[at] ?? String(at + 1),
      label: cutText(shown(name).trim() || optionId, 200),
    })),
    outcomeOf({ optionId, text }) {
      const byId = offered.find((_, at) => ids[at] === optionId)
      const byName = offered.find(({ name }) => shown(name).trim() === text.trim())
      const option = byId ?? byName
      return option === undefined ? choose(options, 'refuse') : selected(option)
    },
  }
}

/** Its own id says more in a list of answers than a number. */
function idOf({ optionId }: Option, at: number): string {
  return /^[A-Za-z0-9][A-Za-z0-9_.-]{0,35}$/.test(optionId) ? `${optionId}-${at + 1}` : `${at + 1}`
}

function describe(agent: string, { kind, title, command, paths }: WantedCall): string {
  const what = command === undefined ? `${title} (${kind})` : command
  const where = paths.map((path) => `- ${path}`)
  return [`May ${agent} do this? The rights of its run do not cover it.`, '', what, ...where].join(
    '\n',
  )
}
