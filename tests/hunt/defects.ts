import { type Defect, defects } from '../model/defects.ts'
import { runDefect } from '../model/run-defect.ts'
import { openThrowawayDatabase } from './database.ts'
import type { HuntOptions, HuntResult } from './hunt.ts'

/** Whether the harness sees mistakes at all: each is planted in the product, and must be noticed. */
export async function huntDefects({ seed, say }: HuntOptions): Promise<HuntResult> {
  await using database = await openThrowawayDatabase()
  let operations = 0
  const missed: Defect[] = []
  for (const defect of defects) {
    const errand = {
      defect,
      databaseUrl: database.url,
      seed,
      sequences: 100,
      steps: 60,
    }
    const sought = await runDefect(errand)
    operations += sought.operations
    if (!sought.noticed) missed.push(defect)
    const by = sought.noticed ? `caught by ${sought.noticed.by}` : 'MISSED'
    say(`  ${defect.name.padEnd(50)} ${by}, ${sought.operations} operations`)
  }
  return {
    figures: [
      ['operations', String(operations)],
      ['seeded defects', `${defects.length - missed.length} of ${defects.length} caught`],
    ],
    violations: missed.length,
  }
}
