import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { ExitCause } from '@svc/contracts/runner'
import { readIfThere, syncFolder, writeDurably } from '../files/durable-file.ts'
import type { Home } from '../files/home.ts'
import { parseJson } from '../files/parse-json.ts'
import { pathBelow } from '../files/path-below.ts'
import { Claimant, type Person, isClaimant } from './claimant.ts'
import { type JournalStep, appendJournal, findStep, readJournal } from './journal.ts'
import { RunOrder } from './order.ts'

/** Why a supervisor is to stop; written before it gets SIGTERM. */
const StopOrder = z.strictObject({
  cause: ExitCause,
  /** Leaves an agent alone that was spawned already. */
  unlessSpawned: z.boolean(),
})
export type StopOrder = z.infer<typeof StopOrder>

const weekMs = 7 * 24 * 3_600_000
const claimantFile = 'claimant.json'
const runName = /^[0-9a-f-]{36}\.[0-9]+$/i

/** Creates `<home>/runs/<request id>.<generation>`, whole or not at all, with its first journal line. */
export function createRunFolder(home: Home, order: RunOrder, person?: Person): string {
  const { executionRequest } = order.assignment
  const folder = pathBelow(home.runs, `${executionRequest.id}.${executionRequest.generation}`)
  const draft = `${folder}.draft`
  rmSync(draft, { recursive: true, force: true })
  try {
    fillRunFolder(draft, order, person)
    renameSync(draft, folder)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    throw error
  }
  syncFolder(home.runs)
  return folder
}

function fillRunFolder(folder: string, order: RunOrder, person: Person | undefined): void {
  const { id, generation } = order.assignment.executionRequest
  mkdirSync(join(folder, 'outbox'), { recursive: true, mode: 0o700 })
  writeDurably(join(folder, 'request.json'), JSON.stringify(order))
  // beside the order, whose form an earlier version takes as it knows it or not at all
  const claimant: Claimant = { service: order.serviceUrl, person }
  writeDurably(join(folder, claimantFile), JSON.stringify(claimant))
  appendJournal(folder, { step: 'claimed', requestId: id, generation, bootId: order.bootId })
}

export function hasRunFolder(home: Home, requestId: string, generation: number): boolean {
  return listRunFolders(home).some((folder) => basename(folder) === `${requestId}.${generation}`)
}

export function readRunOrder(folder: string): RunOrder {
  return RunOrder.parse(JSON.parse(readIfThere(join(folder, 'request.json')) ?? 'null'))
}

/** Undefined where what stands there is no order: cut off, or of a version that this one does not know. */
export function findRunOrder(folder: string): RunOrder | undefined {
  try {
    return readRunOrder(folder)
  } catch {
    return undefined
  }
}

/** For whom the run was claimed; undefined where neither that nor its order can be read. */
export function claimantOf(folder: string): Claimant | undefined {
  const written = Claimant.safeParse(parseJson(readIfThere(join(folder, claimantFile)) ?? ''))
  if (written.success) return written.data
  const order = findRunOrder(folder)
  return order && { service: order.serviceUrl }
}

/** Whether whoever is signed in as `mine` may start, report and clear up the run. Of one that says nothing no service hears. */
export function isRunOf(folder: string, mine: Claimant): boolean {
  const claimant = claimantOf(folder)
  return claimant === undefined || isClaimant(claimant, mine)
}

/** The id of its execution request, by which people know a run. */
export function requestOf(folder: string): string {
  return basename(folder).replace(/\.[0-9]+$/, '')
}

/** Every run folder but those of `except`, oldest first. */
export function listRunFolders(home: Home, except: ReadonlySet<string> = new Set()): string[] {
  return readdirSync(home.runs)
    .filter((name) => runName.test(name))
    .map((name) => join(home.runs, name))
    .filter((folder) => !except.has(folder))
    .map((folder) => ({
      folder,
      at: statSync(folder, { throwIfNoEntry: false })?.birthtimeMs ?? 0,
    }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ folder }) => folder)
}

/** Folders of runs whose last step is not yet done, with what their journals say. */
export function listUnfinishedRuns(home: Home): { folder: string; steps: JournalStep[] }[] {
  return listRunFolders(home)
    .map((folder) => ({ folder, steps: readJournal(folder) }))
    .filter(({ steps }) => findStep(steps, 'cleaned') === undefined)
}

export function writeStopOrder(folder: string, order: StopOrder): void {
  writeDurably(join(folder, 'stop.json'), JSON.stringify(order))
}

export function readStopOrder(folder: string): StopOrder {
  const parsed = StopOrder.safeParse(JSON.parse(readIfThere(join(folder, 'stop.json')) ?? 'null'))
  return parsed.success ? parsed.data : { cause: 'runner_stopped', unlessSpawned: false }
}

/** Removes the folders of runs that ended more than a week ago, but none that the caller still looks after. */
export function removeOldRuns(
  home: Home,
  nowMs: number,
  isOver: (folder: string) => boolean,
): void {
  for (const folder of listRunFolders(home).filter(isOver)) {
    const journal = statSync(join(folder, 'journal.ndjson'), { throwIfNoEntry: false })
    const isOld = nowMs - (journal?.mtimeMs ?? nowMs) > weekMs
    if (isOld && findStep(readJournal(folder), 'cleaned') !== undefined) {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
