import { printsItsOwn, shells, valuesInOneCall } from '@svc/runner/testing/print-values'
import fc from 'fast-check'

export interface QuotingOptions {
  /** In each shell. */
  values: number
  seed: number
  say: (text: string) => void
}

export interface QuotingFindings {
  values: number
  violations: number
}

/** Random hostile values in every place of a command, printed by every shell; what is found is told at its shortest. */
export function huntQuoting({ values, seed, say }: QuotingOptions): QuotingFindings {
  const found: QuotingFindings = { values: 0, violations: 0 }
  for (const shell of shells) {
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
