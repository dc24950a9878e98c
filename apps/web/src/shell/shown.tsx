import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useStore, useWorkspace } from '../data/use-workspace.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { Ago } from '../ui/time.tsx'
import { Problem } from './problem.tsx'
import styles from './shell.module.css'

interface ShownProps<T> {
  of: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch' | 'dataUpdatedAt'>
  rows?: number
  children: (data: T) => ReactNode
}

/**
 * What was read, in each of its states: loading, refused, not reached, there. What is known stays while the service is
 * away, with its age.
 */
export function Shown<T>({ of, rows, children }: ShownProps<T>) {
  const { connection } = useWorkspace().service
  const { isReached, heardAt } = useStore(connection)
  if (of.data === undefined) {
    if (of.error) return <Problem error={of.error} onRetry={() => void of.refetch()} />
    return <Skeleton {...(rows !== undefined && { rows })} />
  }
  return (
    <>
      {!isReached && (
        <p className={styles['aged']}>
          The service is not reached. This is as of <Ago at={Math.max(of.dataUpdatedAt, heardAt)} />
          .
        </p>
      )}
      {children(of.data)}
    </>
  )
}
