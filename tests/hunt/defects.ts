import { type Defect, defects } from '../model/defects.ts'
import { isCaught, runDefect } from '../model/run-defect.ts'
import { openThrowawayDatabase } from './database.ts'
import type { HuntOptions, HuntResult } from './hunt.ts'

/** Whether the harness sees mistakes at all: each is planted in the product, and must be noticed by what is to see it. */
export async function huntDefects({ seed, only, say }: HuntOptions): Promise<HuntResult> {
  const chosen = defects.filter(({ name }) => name.includes(only))
  if (chosen.length === 0) throw new Error(`no defect has "${only}" in its name`)
  await using database = await openThrowawayDatabase()
  let operations = 0
  const missed: Defect[] = []
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
  return {
    figures: [
      ['operations', String(operations)],
      ['seeded defects', `${chosen.length - missed.length} of ${chosen.length} caught`],
    ],
    violations: missed.length,
  }
}
