import type { HeldAccess, MemberAccess } from '@svc/contracts/held-access'
import { describeBrowser } from '@svc/contracts/describe-browser'
import { Text } from '../../ui/text.tsx'
import styles from './access.module.css'

interface Held {
  title: string
  rows: readonly string[]
  more: boolean
}

interface EndsProps {
  held: readonly Held[]
  /** Where there is nothing of any kind. */
  nothing: string
}

/** What ends, each kind with its newest. */
export function Ends({ held, nothing }: EndsProps) {
  const shown = held.filter(({ rows }) => rows.length > 0)
  if (shown.length === 0) return <p>{nothing}</p>
  return (
    <div className={styles['ends']}>
      {shown.map(({ title, rows, more }) => (
        <div key={title}>
          <h3 className={styles['quiet']}>{title}</h3>
          <ul aria-label={title}>
            {rows.map((row, index) => (
              // two may be called the same
              <li key={index}>
                <Text>{row}</Text>
              </li>
            ))}
            {more && <li>and more</li>}
          </ul>
        </div>
      ))}
    </div>
  )
}

type Newest<T> = { newest: readonly T[]; more: boolean }

function rowsOf<T>(title: string, { newest, more }: Newest<T>, say: (one: T) => string): Held {
  return { title, rows: newest.map(say), more }
}

export function heldOfMember(ends: MemberAccess): Held[] {
  const labelled = ({ label, prefix }: { label: string; prefix: string }) => `${label} (${prefix}…)`
  return [
    rowsOf('Tokens', ends.tokens, labelled),
    rowsOf('Applications', ends.applications, ({ label }) => label),
    rowsOf('Runners, which stop', ends.runners, ({ label }) => label),
    rowsOf(
      'Runs, which stop with them',
      ends.runs,
      ({ objective, runner }) => `${objective} on ${runner}`,
    ),
    rowsOf('Invitations', ends.invitations, ({ email, role }) => `${email}, as ${role}`),
  ]
}

export function heldOfAccount(ends: HeldAccess): Held[] {
  const labelled = ({ label, workspace }: { label: string; workspace: string }) =>
    `${label} in ${workspace}`
  return [
    rowsOf('Browsers', ends.sessions, ({ browser, from }) =>
      [describeBrowser(browser), ...(from === null ? [] : [from])].join(', '),
    ),
    rowsOf('Linked accounts', ends.identities, ({ subject, issuer }) => `${subject} at ${issuer}`),
    rowsOf('Tokens', ends.tokens, labelled),
    rowsOf('Applications', ends.applications, labelled),
    rowsOf('Runners, which stop', ends.runners, labelled),
    rowsOf(
      'Runs, which stop with them',
      ends.runs,
      ({ objective, runner }) => `${objective} on ${runner}`,
    ),
  ]
}
