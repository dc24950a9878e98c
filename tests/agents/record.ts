import { basename } from 'node:path'
import type { Adapter } from '@svc/runner/agents/adapter'
import { classifyError } from '@svc/runner/agents/limits'
import { ofPerson } from '@svc/testing/temporary'
import { type Step, wordsOf } from './model/steps.ts'
import { type Said, callIn, parseSaid } from './said.ts'
import { type Part, ownFolder } from './recording.ts'
import type { Printed } from './tools/installed.ts'

/** Longer texts and lists add nothing but the service's own answers, and what else a tool offers. */
const longestText = 300
const longestList = 8
/** Where this machine keeps what it throws away. */
const temporary = new RegExp(`/[\\w/.-]*/${ofPerson}\\w+`, 'g')

/** The working tree of the run, which is another one each time. */
const workingTree = /\/tmp\/machine\/runner\/worktrees\/[\w-]+\/repository\/build-the-bridge-1/g
/** Where it keeps the tools. */
const installed = /\/[\w/.-]*\/\.svc\/toolchain\//g

/** What a process printed, line by line, and at its place what it did of these steps. */
export function partsOf(
  adapter: Pick<Adapter, 'protocol' | 'limits'>,
  { out, err }: Printed,
  steps: readonly Step[],
): Part[] {
  const lines = out.split('\n').filter((line) => line !== '' && !isBesides(parseSaid(line)))
  const done = adapter.protocol === 'acp' ? spokenSteps(lines, steps) : announcedSteps(lines, steps)
  const parts = lines.flatMap((line, at): Part[] => {
    const { before = [], after = [] } = done.get(at) ?? {}
    return [...before.flatMap(actionOf), shorten(line), ...after.flatMap(actionOf)]
  })
  // what else it prints there is for people, and names folders of this machine
  const telling = err.split('\n').filter((line) => {
    return classifyError(adapter.limits, { message: line }, new Date(), 'printed') !== undefined
  })
  // after it was told what to do, and before it was told to leave off
  const begun = lines.findLastIndex((line) => isOpening(parseSaid(line)))
  return parts.toSpliced(
    begun + 1,
    0,
    ...telling.slice(0, 1).map((line) => ({ err: shorten(line) })),
  )
}

interface Done {
  before?: Step[]
  after?: Step[]
}

/** An agent that is told everything by its arguments does what a line says right after it. */
function announcedSteps(lines: readonly string[], steps: readonly Step[]): Map<number, Done> {
  const waiting = [...steps]
  const done = new Map<number, Done>()
  for (const [at, line] of lines.entries()) {
    const found = waiting.findIndex((step) => line.includes(nameOf(step)))
    if (found >= 0) done.set(at, { after: waiting.splice(0, found + 1) })
  }
  return done
}

/** One that is spoken with names a call, perhaps asks for it, and has done it when it says what came of it. */
function spokenSteps(lines: readonly string[], steps: readonly Step[]): Map<number, Done> {
  const done = new Map<number, Done>()
  const said = lines.map(parseSaid)
  for (const step of steps) {
    if ('say' in step) continue
    const named = lines.findIndex((line, at) => callIn(said[at]) && line.includes(nameOf(step)))
    const id = callIn(said[named])?.id
    const asked = said.findIndex(
      (one, at) => at >= named && one?.method !== 'session/update' && callIn(one)?.id === id,
    )
    const over = said.findIndex(
      (one, at) => at > Math.max(named, asked) && callIn(one)?.id === id && callIn(one)?.isOver,
    )
    if (id === undefined || over < 0) throw new Error(`it does not say: ${wordsOf(step)}`)
    done.set(over, { before: [...(done.get(over)?.before ?? []), step] })
  }
  return done
}

/** It has opened a conversation. */
function isOpening(said: Said | undefined): boolean {
  return said?.result !== undefined && !('stopReason' in Object(said.result))
}

/** What it offers besides, which nobody reads. */
function isBesides(said: Said | undefined): boolean {
  const kind = said?.params?.update?.sessionUpdate
  return kind === 'available_commands_update' || kind === 'config_option_update'
}

/** How its line is known: a tool may name the file alone that it writes. */
function nameOf(step: Step): string {
  return 'write' in step ? `${basename(step.write)}"` : wordsOf(step)
}

function actionOf(step: Step): Part[] {
  if ('say' in step) return []
  return 'run' in step ? [step] : [{ ...step, write: basename(step.write) }]
}

function shorten(line: string): string {
  const shown = line
    .replaceAll(temporary, '/tmp/machine')
    .replaceAll(workingTree, ownFolder)
    .replaceAll(installed, '/tools/')
  if (!shown.startsWith('{')) return shown
  return JSON.stringify(JSON.parse(shown), (_key, value: unknown) => {
    if (typeof value === 'string' && value.length > longestText) {
      return `${value.slice(0, longestText)}…`
    }
    return Array.isArray(value) ? value.slice(0, longestList) : value
  })
}
