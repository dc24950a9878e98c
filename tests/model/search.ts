import fc from 'fast-check'
import type { Step } from './command.ts'
import { type Beside, type Tally, commands, play } from './play.ts'
import type { Theatre } from './stage.ts'

export interface SearchOptions {
  seed: number
  sequences: number
  /** At most, in each. */
  steps: number
  /** What went wrong is made as short as it gets, which takes many more sequences. Default true. */
  shrinks?: boolean
  beside?: Beside
  /** Before each sequence. */
  onSequence?: (count: number, tally: Tally) => void
  /** Seconds after which no more sequences are begun. */
  seconds?: number
  /** From then on no more sequences are begun. */
  signal?: AbortSignal
}

export interface Found extends Tally {
  seed: number
  sequences: number
  /** The shortest way to what went wrong that was found, and what did. */
  counterexample?: { steps: readonly Step[]; violation: Error }
}

const names = Object.entries(commands).map(([name, { weight }]) => {
  return { weight, arbitrary: fc.constant(name) }
})

const step: fc.Arbitrary<Step> = fc.record({
  do: fc.oneof(...names, { weight: 6, arbitrary: fc.constant('again') }),
  at: fc.nat({ max: 11 }),
  how: fc.nat({ max: 7 }),
  wild: fc.nat({ max: 5 }).map((drawn) => drawn === 5),
})

const started = ['createMission', 'launch', 'claim', 'launching', 'launched']

/** How a run may go: what lies far in would be reached too rarely by chance alone. */
const courses = [
  // its agent asks, and ends
  [...started, 'attach', 'ask', 'exited', 'answer'],
  // its provider takes no more work, and a person says that it does again
  [...started, 'attach', 'limited', 'goOn', 'claim'],
  // its machine is not heard of any more, and it is claimed anew
  [...started, 'jump', 'sweep', 'claim', 'launching', 'launched'],
  // its delivery waits for a check, which fails
  [
    'setChecks',
    ...started,
    'attach',
    'deliver',
    'reportCheck',
    'deliver',
    'deliver',
    'reportCheck',
    'deliver',
  ],
]

/** A mission to begin with, and some way into its first run. */
const opening = fc
  .tuple(fc.constantFrom(...courses), fc.nat({ max: 7 }), fc.nat({ max: 12 }))
  .map(([course, how, more]) => {
    return course.slice(0, more + 1).map((name): Step => ({ do: name, at: 0, how, wild: false }))
  })

/** A beginning, then anything; the same sequences for the same seed. */
export async function search(theatre: Theatre, options: SearchOptions): Promise<Found> {
  const { seed, sequences, steps, shrinks = true, beside, onSequence, seconds, signal } = options
  const tally: Tally = { operations: 0, refused: 0, repeated: 0 }
  let count = 0
  const sequence = fc
    .tuple(opening, fc.array(step, { minLength: 1, maxLength: 4 * steps, size: 'max' }))
    .map(([begun, more]) => [...begun, ...more])
  const property = fc.asyncProperty(fc.noBias(sequence), async (drawn) => {
    if (signal?.aborted) return
    count += 1
    onSequence?.(count, tally)
    await play(theatre, { steps: drawn, most: steps }, tally, beside)
  })
  const result = await fc.check(property, {
    seed,
    numRuns: sequences,
    endOnFailure: !shrinks,
    ...(seconds !== undefined && { interruptAfterTimeLimit: seconds * 1000 }),
  })
  const base = { ...tally, seed, sequences: count }
  const { counterexample, errorInstance } = result
  if (!result.failed || !counterexample) return base
  const violation =
    errorInstance instanceof Error ? errorInstance : new Error(String(errorInstance))
  return { ...base, counterexample: { steps: counterexample[0], violation } }
}

/** Prints the steps in a form that can be read, and given to `play` again. */
export function describeSteps(steps: readonly Step[]): string {
  return steps.map((one) => `  ${JSON.stringify(one)}`).join(',\n')
}
