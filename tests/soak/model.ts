import { search, describeSteps } from '../model/search.ts'
import type { Beside } from '../model/play.ts'
import { type Theatre, openTheatre } from '../model/stage.ts'
import { openThrowawayDatabase } from './database.ts'
import type { SoakOptions, SoakResult } from './soak.ts'

/** Long sequences of all that people, runners, agents and time can do, against a model of the lifecycle. */
export async function soakModel(options: SoakOptions): Promise<SoakResult> {
  await using database = await openThrowawayDatabase()
  await using theatre = await openTheatre(database.url)
  return await playLong(theatre, options)
}

/** Sequences on a stage of its own, with whoever looks on. */
export async function playLong(
  theatre: Theatre,
  { seed, sequences, steps, replay, signal, say }: SoakOptions,
  beside?: Beside,
): Promise<SoakResult> {
  const found = await search(theatre, {
    seed,
    sequences,
    steps,
    shrinks: replay,
    signal,
    ...(beside && { beside }),
    onSequence(count, { operations }) {
      if (count % 100 === 0) say(`  ${count} sequences, ${operations} operations`)
    },
  })
  const { counterexample } = found
  if (counterexample) {
    say(`${counterexample.violation.message}\n${describeSteps(counterexample.steps)}`)
    if (!replay) say(`--replay ${seed} makes it shorter`)
  }
  return {
    figures: [
      ['operations', `${found.operations} in ${found.sequences} sequences`],
      ['refused', `${found.refused}, each as foreseen`],
      ['repeated', `${found.repeated} under their key`],
    ],
    violations: counterexample ? 1 : 0,
  }
}
