import { defects } from '../model/defects.ts'
import type { Mistake } from '../model/plant.ts'
import { isCaught, runDefect } from '../model/run-defect.ts'
import { openThrowawayDatabase } from './database.ts'
import type { HuntOptions, HuntResult } from './hunt.ts'
import { runRunnerDefect } from './run-runner-defect.ts'
import { runnerDefects } from './runner-defects.ts'

/** Whether the harness sees mistakes at all: each is planted in the product, and must be noticed by what is to see it. */
export async function huntDefects({ seed, only, say }: HuntOptions): Promise<HuntResult> {
  const chosen = defects.filter(({ name }) => name.includes(only))
  const ofRunner = runnerDefects.filter(({ name }) => name.includes(only))
  const count = chosen.length + ofRunner.length
  if (count === 0) throw new Error(`no defect has "${only}" in its name`)
  await using database = await openThrowawayDatabase()
  let operations = 0
  const missed: Mistake[] = []
  for (const defect of chosen) {
    const errand = {
      defect,
      databaseUrl: database.url,
      seed,
      sequences: 100,
      steps: 60,
    }
    const sought = await runDefect(errand)
    operations += sought.operations
    const caught = isCaught(defect, sought)
    if (!caught) missed.push(defect)
    const how = sought.noticed ? `by ${sought.noticed.message.split('\n')[0]}` : 'by nothing'
    const told = caught
      ? `caught ${how}`
      : `MISSED: noticed ${how}, not by ${defect.noticedBy.join(' or ')}`
    say(`  ${defect.name.padEnd(50)} ${told}; ${sought.operations} operations`)
  }
  for (const defect of ofRunner) {
    const said = await runRunnerDefect(defect)
    if (said === undefined) missed.push(defect)
    const told = said === undefined ? `MISSED by "${defect.noticedBy.test}"` : `caught: ${said}`
    say(`  ${defect.name.padEnd(50)} ${told}`)
  }
  return {
    figures: [
      ['operations', String(operations)],
      ['seeded defects', `${count - missed.length} of ${count} caught`],
    ],
    violations: missed.length,
  }
}
