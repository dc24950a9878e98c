import { lstatSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { ProcessIdentity, isAlive } from '@svc/process/process-identity'
import { UnusableFile, errorCode } from '@svc/process/untrusted-file'
import { createDurably, writeDurably } from '../files/durable-file.ts'
import { readHolderFile } from '@svc/process/process-lock'
import { LaunchFailure } from '../launch-failure.ts'
import { gitPath } from './git.ts'

/** A run that works in a checkout. An order to stop is written into its run folder. */
export const CheckoutHolder = z.object({
  requestId: z.string(),
  generation: z.int(),
  missionId: z.string(),
  objectiveId: z.string(),
  /** When the run was launched. */
  createdAt: z.string(),
  branch: z.string(),
  runFolder: z.string(),
  supervisor: ProcessIdentity,
  agent: ProcessIdentity.optional(),
})
export type CheckoutHolder = z.infer<typeof CheckoutHolder>

/** Nothing else in the folder is read, or removed as a holder that is gone. */
const holderName = /^[0-9a-f-]{36}\.[0-9]+\.json$/

type Which = Pick<CheckoutHolder, 'requestId' | 'generation'>

export function isSameRun(one: Which, other: Which): boolean {
  return one.requestId === other.requestId && one.generation === other.generation
}

/** Everybody who works in the checkout now. One whose processes are all gone does not. */
export function readHolders(checkout: string): CheckoutHolder[] {
  return holderFiles(checkout).map(readHolder).filter(isHeld)
}

/** Run folders of those that were in the checkout and did not leave it, because they were killed. */
export function runsLostIn(checkout: string): string[] {
  return holderFiles(checkout).flatMap((path) => {
    const holder = readHolder(path)
    return holder === undefined || lives(holder) ? [] : [holder.runFolder]
  })
}

/** Adds the run to the holders of the checkout. Whoever calls has looked at them, and nobody else is looking. */
export function holdCheckout(checkout: string, mine: CheckoutHolder): void {
  try {
    const folder = requireFolder(checkout)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    requireOwn(folder)
    for (const path of holderFiles(checkout)) if (!isHeld(readHolder(path))) rmSync(path)
    const path = holderPath(folder, mine)
    if (!createDurably(path, JSON.stringify(mine))) writeDurably(path, JSON.stringify(mine))
  } catch (cause) {
    throw new LaunchFailure(
      'bad_working_directory',
      cause instanceof UnusableFile
        ? cause.message
        : `Git's own folder of ${checkout} is gone or cannot be written to: repair it there.`,
      'prepare',
      { cause },
    )
  }
}

/** The agent keeps the checkout after its supervisor is lost. */
export function addAgentToHolder(checkout: string, mine: CheckoutHolder): void {
  const path = holderPath(requireFolder(checkout), mine)
  if (readHolder(path) !== undefined) writeDurably(path, JSON.stringify(mine))
}

export function freeCheckout(checkout: string, mine: Which): void {
  const folder = holdersFolder(checkout)
  if (folder !== undefined) rmSync(holderPath(folder, mine), { force: true, recursive: true })
}

/** When a run last came or went; undefined where none ever was. */
export function lastHeldAt(checkout: string): number | undefined {
  const folder = holdersFolder(checkout)
  return folder === undefined ? undefined : statSync(folder, { throwIfNoEntry: false })?.mtimeMs
}

/** In Git's own folder of this checkout or worktree, which no cleaning of the working tree reaches. */
function holdersFolder(checkout: string): string | undefined {
  return gitPath(checkout, 'svc/holders')
}

function requireFolder(checkout: string): string {
  const folder = holdersFolder(checkout)
  if (folder === undefined) throw new UnusableFile(`${checkout} is no Git checkout any more.`)
  return folder
}

/** An agent can write there, and lay a link to a folder of somebody else in its place. */
function requireOwn(folder: string): void {
  for (const path of [dirname(folder), folder]) {
    if (lstatSync(path).isDirectory()) continue
    throw new UnusableFile(`${path} is a link: remove it, and launch again.`)
  }
}

function holderPath(folder: string, { requestId, generation }: Which): string {
  return join(folder, `${requestId}.${generation}.json`)
}

function holderFiles(checkout: string): string[] {
  const folder = holdersFolder(checkout)
  if (folder === undefined) return []
  try {
    const names = readdirSync(folder).filter((name) => holderName.test(name))
    return names.map((name) => join(folder, name))
  } catch (error) {
    // what cannot be read is not empty
    if (errorCode(error) === 'ENOENT') return []
    throw error
  }
}

function isHeld(holder: CheckoutHolder | undefined): holder is CheckoutHolder {
  return holder !== undefined && lives(holder)
}

function lives({ supervisor, agent }: CheckoutHolder): boolean {
  return isAlive(supervisor) || (agent !== undefined && isAlive(agent))
}

function readHolder(path: string): CheckoutHolder | undefined {
  const parsed = CheckoutHolder.safeParse(readHolderFile(path))
  return parsed.success ? parsed.data : undefined
}
