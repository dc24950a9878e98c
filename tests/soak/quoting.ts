import { printsItsOwn, shells, valuesInOneCall } from '@svc/runner/testing/print-values'
import fc from 'fast-check'
import { setImmediate } from 'node:timers/promises'

export interface QuotingOptions {
  /** In each shell. */
  values: number
  seed: number
  signal: AbortSignal
  say: (text: string) => void
}

export interface QuotingFindings {
  values: number
  violations: number
}

/** Random hostile values in every position of a command, printed by every shell; what is found is shown at its shortest. */
export async function soakQuoting({
  values,
  seed,
  signal,
  say,
}: QuotingOptions): Promise<QuotingFindings> {
  const found: QuotingFindings = { values: 0, violations: 0 }
  for (const shell of shells) {
    // what comes meanwhile is heard between one shell and the next
    await setImmediate()
    if (signal.aborted) break
    const numRuns = Math.ceil(values / valuesInOneCall)
    const { failed, counterexample } = fc.check(printsItsOwn(shell), {
      numRuns,
      seed,
    })
    found.values += numRuns * valuesInOneCall
    if (!failed) continue
    found.violations += 1
    say(`  ${shell} prints others: ${JSON.stringify(counterexample)}`)
  }
  return found
}
