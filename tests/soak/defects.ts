import type { SearchResult } from '../model/defect-child.ts'
import { type Defect, defects } from '../model/defects.ts'
import type { Mistake } from '../model/plant.ts'
import { isCaught, runDefect } from '../model/run-defect.ts'
import { openThrowawayDatabase } from './database.ts'
import type { SoakOptions, SoakResult } from './soak.ts'
import { runRunnerDefect } from './run-runner-defect.ts'
import { runnerDefects } from './runner-defects.ts'

/** A search that was stopped has found nothing. */
function orNothing(signal: AbortSignal): (error: unknown) => SearchResult {
  return (error) => {
    if (!signal.aborted) throw error
    return { operations: 0 }
  }
}

/** Whether the harness sees mistakes at all: each is planted in the product, and must be noticed by what is to see it. */
export async function soakDefects({ seed, only, signal, say }: SoakOptions): Promise<SoakResult> {
  const chosen = defects.filter(({ name }) => name.includes(only))
  const ofRunner = runnerDefects.filter(({ name }) => name.includes(only))
  const count = chosen.length + ofRunner.length
  if (count === 0) throw new Error(`no defect has "${only}" in its name`)
  await using database = await openThrowawayDatabase()
  let operations = 0
  let tried = 0
  const missed: Mistake[] = []
  const taskFor = (defect: Defect) => {
    return { defect, databaseUrl: database.url, seed, sequences: 100, steps: 60 }
  }
  const ways = Map.groupBy(chosen, ({ races }) => races === true)
  for (const [defect] of ways.values()) {
    if (signal.aborted || defect === undefined) break
    const { noticed } = await runDefect({ ...taskFor(defect), isPlanted: false }, signal).catch(
      orNothing(signal),
    )
    if (noticed) throw new Error(`noticed without any mistake: ${noticed.message}`)
  }
  for (const defect of chosen) {
    if (signal.aborted) break
    const result = await runDefect(taskFor(defect), signal).catch(orNothing(signal))
    if (signal.aborted) break
    tried += 1
    operations += result.operations
    const caught = isCaught(defect, result)
    if (!caught) missed.push(defect)
    const how = result.noticed ? `by ${result.noticed.message.split('\n')[0]}` : 'by nothing'
    const outcome = caught
      ? `caught ${how}`
      : `MISSED: noticed ${how}, not by ${defect.noticedBy.join(' or ')}`
    say(`  ${defect.name.padEnd(50)} ${outcome}; ${result.operations} operations`)
  }
  for (const defect of ofRunner) {
    if (signal.aborted) break
    const noticed = await runRunnerDefect(defect, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
    if (noticed === undefined) break
    tried += 1
    const { isCaught: caught, says } = noticed
    if (!caught) missed.push(defect)
    const outcome = caught ? `caught: ${says}` : `MISSED by "${defect.noticedBy.test}": ${says}`
    say(`  ${defect.name.padEnd(50)} ${outcome}`)
  }
  return {
    figures: [
      ['operations', String(operations)],
      ['seeded defects', `${tried - missed.length} of ${tried} caught`],
    ],
    violations: missed.length,
  }
}
