import { Violation } from './command.ts'
import type { SearchResult, SearchTask } from './defect-child.ts'
import { raceClaims } from './race.ts'
import { search } from './search.ts'
import { type Theatre, openTheatre } from './stage.ts'

/** Until something is noticed, or all that was asked for is done. */
export async function seek(task: SearchTask): Promise<SearchResult> {
  await using theatre = await openTheatre(task.databaseUrl)
  return task.defect.races ? await seekByRacing(theatre) : await seekByPlaying(theatre, task)
}

async function seekByPlaying(theatre: Theatre, task: SearchTask): Promise<SearchResult> {
  const { operations, counterexample } = await search(theatre, { ...task, shrinks: false })
  if (!counterexample) return { operations }
  return { operations, noticed: messageOf(counterexample.violation) }
}

const races = 20

async function seekByRacing(theatre: Theatre): Promise<SearchResult> {
  let operations = 0
  for (let race = 0; race < races; race += 1) {
    try {
      operations += await raceClaims(theatre)
    } catch (error) {
      return { operations, noticed: messageOf(error) }
    }
  }
  return { operations }
}

/** A mistake that breaks the harness itself was noticed by nothing of it. */
function messageOf(error: unknown): NonNullable<SearchResult['noticed']> {
  if (error instanceof Violation) return { by: error.invariant, message: error.message }
  throw error
}
