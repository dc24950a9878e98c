import { type DeliveryChecks, describeCheck } from '@svc/contracts/check'
import { oneLine, sanitize } from './terminal.ts'

/** Nothing of a delivery that was not to be checked, or of a service that knows of none. */
export function checksInShort(checks: DeliveryChecks | null | undefined): string | null {
  if (!checks) return null
  return { passed: 'passed', failed: 'failed', not_run: 'not run' }[checks.outcome]
}

/** What they came to, of which commit, in one line. */
export function checksInLine(checks: DeliveryChecks): string {
  const { reason, results, commit, dirty, changed } = checks
  const what = results.map(describeCheck).join('; ')
  const about = [
    ...(commit === null ? [] : [`at ${commit.slice(0, 12)}`]),
    ...(dirty ? ['with changes that no commit has'] : []),
    ...(changed ? ['the files changed while it ran'] : []),
  ].join(', ')
  const run = [what, about].filter((part) => part !== '').join(', ')
  return oneLine([checksInShort(checks), reason ?? run].filter(Boolean).join(': '))
}

/** The line, and the end of what those printed that did not pass. */
export function describeChecks(checks: DeliveryChecks | null | undefined): string {
  if (!checks) return ''
  const printed = checks.results
    .filter(({ outcome, output }) => outcome !== 'passed' && output.trim() !== '')
    .map(({ name, output }) => `${name} printed last:\n${indented(output)}`)
  return [`Checks ${checksInLine(checks)}`, ...printed].join('\n')
}

function indented(text: string): string {
  return sanitize(text)
    .trimEnd()
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n')
}
