import { RefusedError } from '@svc/client/errors'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isNotHere } from '../data/not-here.ts'
import { PageHead } from './pages.tsx'
import { Problem } from './problem.tsx'
import { Shown } from './shown.tsx'

interface ShownUntilGoneProps<T> {
  of: UseQueryResult<T>
  /** Of the page as long as it has no better one. */
  title: string
  children: (data: T) => ReactNode
}

/** One thing with its own heading. What somebody else has deleted meanwhile is not shown as if it were there. */
export function ShownUntilGone<T>({ of, title, children }: ShownUntilGoneProps<T>) {
  const isForbidden = of.error instanceof RefusedError && of.error.status === 403
  const isGone = isForbidden || isNotHere(of.error)
  if (of.data !== undefined && !isGone) return <Shown of={of}>{children}</Shown>
  return (
    <>
      <PageHead title={title} />
      {isGone && of.error ? <Problem error={of.error} /> : <Shown of={of}>{children}</Shown>}
    </>
  )
}
