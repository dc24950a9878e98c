import type { AuditEntry } from '@svc/contracts/audit'
import { IdLink, Link } from '../../shell/link.tsx'
import { pathTo } from '../../shell/routes.ts'
import { Fold } from '../../ui/fold.tsx'
import { Text } from '../../ui/text.tsx'
import { auditWords, meansWords } from '../../words/audit.ts'
import { moment } from '../../words/moment.ts'
import styles from './audit.module.css'
import { type Filters, searchOf } from './filters.ts'
import { doerOf, subjectOf } from './subject.ts'

interface EntryProps {
  entry: AuditEntry
  filters: Filters
  slugOf: (projectId: string) => string | undefined
}

/** What was done to what, by whom and by what, and when. */
export function Entry({ entry, filters, slugOf }: EntryProps) {
  const { at, action, actor, from, targetId } = entry
  const only = (more: Partial<Filters>) =>
    pathTo('audit', {}, searchOf({ ...filters, ...more, cursor: '' }))
  return (
    <>
      <div className={styles['line']}>
        <time dateTime={at}>{moment(new Date(at))}</time>
        {/* a later version of the service may have an action that this one has no words for */}
        <strong>{auditWords[action] ?? action}</strong>
        <About entry={entry} slugOf={slugOf} />
      </div>
      <p className={styles['quiet']}>
        by <Text>{doerOf(entry)}</Text> <Means entry={entry} />
        {from !== null && (
          <>
            {' '}
            from <Text>{from}</Text>
          </>
        )}
      </p>
      <Fold summary="Details">
        <pre className={styles['details']}>
          <Text>{JSON.stringify(entry.details, null, 2)}</Text>
        </pre>
        <p className={styles['line']}>
          <Link to={only({ of: targetId })}>All that was done to this</Link>
          {actor !== null && (
            <Link to={only({ who: actor.id })}>
              All that <Text>{actor.name}</Text> did
            </Link>
          )}
        </p>
      </Fold>
    </>
  )
}

function About({ entry, slugOf }: Pick<EntryProps, 'entry' | 'slugOf'>) {
  const { displayId, name, path } = subjectOf(entry, slugOf)
  const text = name !== undefined && <Text>{name}</Text>
  return (
    <span className={styles['about']}>
      {displayId !== undefined && <IdLink id={displayId} />}{' '}
      {path && text ? <Link to={path}>{text}</Link> : text}
    </span>
  )
}

/** The token is known by its first characters, too. */
function Means({ entry: { by, tokenPrefix } }: { entry: AuditEntry }) {
  const prefix = tokenPrefix !== null && <code>{tokenPrefix}</code>
  if (by === null) return prefix && <>by the token {prefix}</>
  const { kind, label, executionRequestId } = by
  return (
    <>
      {executionRequestId === null ? (
        meansWords[kind]
      ) : (
        <Link to={pathTo('run', { run: executionRequestId })}>{meansWords[kind]}</Link>
      )}
      {label !== null && (
        <>
          {' '}
          <Text>{label}</Text>
        </>
      )}{' '}
      {prefix}
    </>
  )
}
