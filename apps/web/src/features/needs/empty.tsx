import type { NeedCounts } from '@svc/contracts/need'
import type { RouteOutput } from '@svc/contracts/rest'
import { pathTo } from '../../shell/routes.ts'
import { Link } from '../../shell/link.tsx'
import { Ago } from '../../ui/time.tsx'
import { counted } from '../../words/counted.ts'
import { totalOf } from '../../words/needs.ts'
import { searchOf } from './asked.ts'
import styles from './needs.module.css'

interface EmptyProps {
  whose: 'mine' | 'all'
  counts: NeedCounts | undefined
  running: RouteOutput<'listExecutionRequests'> | undefined
}

/** Nothing waits: what is under way, and where there is more to see. */
export function Empty({ whose, counts, running }: EmptyProps) {
  const others = whose === 'mine' && counts ? totalOf(counts, 'all') : undefined
  return (
    <div className={styles['empty']}>
      <p>
        {whose === 'mine' ? 'Nothing needs you.' : 'Nothing waits for anybody.'}{' '}
        {running && <UnderWay of={running} />}
      </p>
      {others !== undefined && others.count > 0 && (
        <p>
          <Link to={pathTo('needs', {}, searchOf({ whose: 'all', project: undefined }))}>
            {others.text} {others.count === 1 ? 'waits' : 'wait'} for others
          </Link>
        </p>
      )}
    </div>
  )
}

function UnderWay({
  of: { executionRequests, nextCursor },
}: {
  of: RouteOutput<'listExecutionRequests'>
}) {
  const oldest = executionRequests.at(-1)
  if (oldest === undefined) return <>No run is under way.</>
  const { length } = executionRequests
  // of a longer list the oldest is not known
  if (nextCursor !== undefined) return <>More than {length} runs are under way.</>
  return (
    <>
      {counted(length, 'run')} {length === 1 ? 'is' : 'are'} under way
      {length === 1 ? '; it began ' : '; the oldest began '}
      <Ago at={oldest.createdAt} />.
    </>
  )
}
