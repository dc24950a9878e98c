import type { World } from '@svc/domain/testing/open-world'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { type Edge, type Fault, faults, makes, openEdge, said, unanswered } from './fault-edge.ts'
import { type Deed, Sent, isTold, recordingHands, until } from './fault-hands.ts'
import { again, anew, isOffered, missingOf } from './fault-walk.ts'
import type { Proof } from './keyboard-places.ts'

/** What is another thing with one action than with most. */
export interface Exception {
  /** These do not end as they do elsewhere; the reason stands next to it. */
  without?: readonly Fault[]
  /** Once it is done the page shows so, and what it was done by is not there any more; or is not when it is opened anew. */
  goes?: 'at once' | 'when opened anew'
  /** What was typed was taken by another call before this one. */
  takenBefore?: true
  /** What does it again where it was refused, when that is not what did it first. */
  by?: string
}

export interface Tally {
  /** Calls that something befell. */
  befallen: number
  /** Of these, calls that came with something that somebody had typed; and what of that was not there afterwards. */
  typed: number
  lost: number
  /** Actions that were carried out more than once. */
  twice: number
}

export const newTally = (): Tally => ({ befallen: 0, typed: 0, lost: 0, twice: 0 })

interface Ground {
  world: World
  page: Page
  /** The address of a page of the workspace. */
  pathOf: (path: string) => string
  tally: Tally
}

/** Sends what a proof sends, has all that can befall it, one after the other, and sees that it is done once in the end. */
export async function endure(
  { world, page, pathOf, tally }: Ground,
  action: string,
  prove: Proof,
  { without = [], goes, takenBefore, by }: Exception = {},
): Promise<void> {
  const [, operation = ''] = action.split(' ')
  let atFirst: Logs | undefined
  const carriedOut = async () => {
    atFirst = await logsOf(world, operation)
  }
  const edge = await openEdge(page, operation, carriedOut, goes !== 'at once')
  const left = faults.filter((fault) => !without.includes(fault))
  let fault = left.shift()
  edge.set(fault)
  const way = await sendOnce({ world, page, pathOf }, prove, edge)
  const typed = takenBefore ? [] : textsOf(way)
  const back: Deed[] = by === undefined ? way : [{ do: 'do', name: by }]

  while (fault !== undefined) {
    tally.befallen += 1
    if (typed.length > 0) tally.typed += 1
    if (fault === 'lost' && goes === 'at once') break
    const next = nextOf(left, edge)
    const met = fault
    await during(page, met, async () => {
      await meet(page, edge, met)
      let missing = typed
      const look = async () => (missing = await missingOf(page, typed))
      // what is being drawn anew comes back at once
      await expect
        .poll(look, { message: 'what was typed' })
        .toEqual([])
        .finally(() => (tally.lost += missing.length))
      edge.set(next)
      // what was typed outlives the page, and so does the key of what would make another one
      const isLeft = met === 'cut' || (met === 'lost' && goes === undefined && makes(operation))
      if (typed.length > 0 && isLeft) {
        edge.release()
        await anew(page, way)
      } else await again(page, back, unanswered.includes(met))
      edge.release()
      await expect.poll(edge.tries, { message: 'it is sent again' }).toBeGreaterThan(0)
    })
    fault = next
  }
  await during(page, 'all of them', async () => {
    if (goes === 'at once') await expect.poll(() => edge.carriedOut().calls).toBeGreaterThan(0)
    else await expect.poll(edge.isAnswered).toBe(true)
    // who is signed out by it, or has gone by it, may be at a page that reads nothing more
    if (goes !== 'at once') {
      await expect.poll(() => saying(page, said.lost).count()).toBe(0)
      await expect.poll(() => isOffered(page)).toBe(false)
    }
    const { keys: times } = edge.carriedOut()
    if (times > 1) tally.twice += 1
    expect(times).toBe(1)
    expect(await logsOf(world, operation)).toEqual(atFirst)
  })
}

/** As the proof does it; answers the way there, from the last page that was opened on. */
async function sendOnce(
  { world, page, pathOf }: Omit<Ground, 'tally'>,
  prove: Proof,
  edge: Edge,
): Promise<Deed[]> {
  const sent = edge.met()
  const { hands, open, deeds } = recordingHands(page, sent)
  await prove({ world, open: (path, seen) => open(pathOf(path), seen) }, hands).catch(
    (error: unknown) => {
      if (!(error instanceof Sent)) throw error
    },
  )
  await sent
  // what is waited for once all is done shows itself after the answer, and may be noted before the call is seen
  while (deeds.at(-1)?.do === 'seesDialog') deeds.pop()
  const from = deeds.findLastIndex((deed) => deed.do === 'open')
  return deeds.slice(Math.max(from, 0)).filter((deed) => deed.do !== 'sees')
}

const textsOf = (way: readonly Deed[]) =>
  way.flatMap((deed) => (deed.do === 'type' ? [deed.text] : []))

/** A page that says no revision cannot be told that it is of an older one. */
function nextOf(left: Fault[], edge: Edge): Fault | undefined {
  const next = left.shift()
  return next === 'revision_mismatch' && !edge.hasRevision() ? left.shift() : next
}

/** Waits until the page has said what happened. */
async function meet(page: Page, edge: Edge, fault: Fault): Promise<void> {
  if (fault === 'cut') edge.cut()
  if (fault === 'revision_mismatch') return meetMismatch(page, edge)
  await saying(page, said[fault]).first().waitFor()
  // what else is read meanwhile may have closed it
  if (fault === 'unauthenticated') await until(page, isTold)
}

/** What others have changed apart from this is no reason to ask anybody: then the page sends it by itself, which is lost. */
async function meetMismatch(page: Page, edge: Edge): Promise<void> {
  const isSaid = async () => {
    const refusal = edge.refusal()
    return refusal !== undefined && (await saying(page, refusal).count()) > 0
  }
  await expect
    .poll(async () => edge.tries() > 1 || (await isSaid()), {
      message: `it says "${edge.refusal()}" or sends it again`,
    })
    .toBe(true)
  if (edge.tries() > 1) await saying(page, said.lost).first().waitFor()
}

/** Where people look; a screen reader hears it elsewhere. */
function saying(page: Page, words: string | RegExp) {
  return page.locator(':is(main, dialog[open])').getByText(words)
}

async function during(page: Page, what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const shown = await page.evaluate<string>('document.body.innerText')
    throw new Error(`after ${what}: ${why}\nThe page says: ${shown}`, { cause: error })
  }
}

type Logs = Readonly<Record<'keys' | 'audit', string>>

/** Under how many keys it was done, and how much of it was audited: what else is recorded also comes of what goes on by itself. */
async function logsOf({ domain: { db }, workspaceId }: World, operation: string): Promise<Logs> {
  const { rows } = await sql<Logs>`
    select (select count(*) from idempotency_keys where workspace_id = ${workspaceId} and route = ${operation}) as keys,
           (select count(*) from audit_trail where workspace_id = ${workspaceId}) as audit`.execute(
    db,
  )
  const [row] = rows
  if (row === undefined) throw new Error('a count has a row')
  return row
}
