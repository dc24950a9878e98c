import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { Button } from '../../ui/button.tsx'

type Paged = Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>

/** The next page of a list, where there is one. */
export function More({ of }: { of: Paged }) {
  if (!of.hasNextPage) return null
  return (
    <div>
      <Button disabled={of.isFetchingNextPage} onClick={() => void of.fetchNextPage()}>
        Show more
      </Button>
    </div>
  )
}
