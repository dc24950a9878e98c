import { printsItsOwn, shells, valuesInOneCall } from '@svc/runner/testing/print-values'
import fc from 'fast-check'
import { setImmediate } from 'node:timers/promises'
import type { SoakOptions, SoakResult } from './soak.ts'

/** Random hostile values in every position of a command, printed by every shell; what is found is shown at its shortest. */
export async function soakQuoting({
  requests: valuesOfShell = 4_000,
  seed,
  signal,
  say,
}: SoakOptions): Promise<SoakResult> {
  let values = 0
  let violations = 0
  for (const shell of shells) {
    // what comes meanwhile is heard between one shell and the next
    await setImmediate()
    if (signal.aborted) break
    const numRuns = Math.ceil(valuesOfShell / valuesInOneCall)
    const { failed, counterexample } = fc.check(printsItsOwn(shell), {
      numRuns,
      seed,
    })
    values += numRuns * valuesInOneCall
    if (!failed) continue
    violations += 1
    say(`  ${shell} prints others: ${JSON.stringify(counterexample)}`)
  }
  return { figures: [['operations', `${values} values`]], violations }
}
