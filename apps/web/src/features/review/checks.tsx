import { Badge } from '../../ui/badge.tsx'
import { Text } from '../../ui/text.tsx'
import { visible } from '../../words/visible.ts'
import { duration } from '../../words/duration.ts'
import { checkWords } from '../../words/states.ts'
import styles from './review.module.css'
import { type Delivery, lastLines } from './story.ts'

/** What the checks of the project came to before the delivery was taken. */
export function Checks({ checks }: { checks: Delivery['checks'] }) {
  if (checks === null) {
    return (
      <p className={styles['quiet']}>None: neither the project nor the objective names a check.</p>
    )
  }
  const { outcome, reason, results, dirty, changed, attempts, commit } = checks
  return (
    <>
      {results.length === 0 && <Badge of={checkWords[outcome]} />}
      {reason !== null && !isSaid(reason, results) && (
        <p>
          <Text>{reason}</Text>
        </p>
      )}
      <ul className={styles['checks']}>
        {results.map(({ name, outcome: own, seconds, exitCode, output }) => (
          <li key={name}>
            <details className={styles['fold']} open={own !== 'passed'}>
              <summary>
                <span className={styles['check']}>
                  <Badge of={checkWords[own]} />
                  <code>
                    <Text>{name}</Text>
                  </code>
                  <span className={styles['quiet']}>
                    {own !== 'not_run' && duration(seconds)}
                    {own === 'failed' && exitCode !== null && `, exit code ${exitCode}`}
                  </span>
                </span>
              </summary>
              <pre className={styles['output']} tabIndex={0} aria-label={`Last lines of ${name}`}>
                {output.trim() === '' ? 'It printed nothing.' : visible(lastLines(output))}
              </pre>
            </details>
          </li>
        ))}
      </ul>
      {(dirty || changed || attempts > 1) && (
        <p className={styles['quiet']}>
          {attempts > 1 && `Delivered at attempt ${attempts}. `}
          {dirty && 'The checkout had changes that were in no commit. '}
          {changed && 'It changed while the checks ran. '}
          {commit !== null && (
            <>
              Checked at <code>{commit.slice(0, 12)}</code>.
            </>
          )}
        </p>
      )}
    </>
  )
}

/** A check that was not run says why by itself. */
function isSaid(reason: string, results: NonNullable<Delivery['checks']>['results']): boolean {
  return results.some(({ output }) => output.includes(reason))
}
