import { useRef } from 'react'
import { useSearchParams } from 'wouter'
import { usePages } from '../../data/reads.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { CaptureForm } from '../../parts/capture/capture-form.tsx'
import { inbox } from '../../shell/inbox-count.ts'
import { PageHead } from '../../shell/pages.tsx'
import { Shown } from '../../shell/shown.tsx'
import { Button } from '../../ui/button.tsx'
import { saidOpen } from '../../words/inbox.ts'
import { type State, readState, requestOf, searchOf, states } from './asked.ts'
import styles from './inbox.module.css'
import { ItemList } from './list.tsx'

const labels = { open: 'Open', turned: 'Turned', all: 'All' } as const satisfies Record<
  State,
  string
>

/** What somebody, or an agent of theirs, has noted down for later. */
export function Page() {
  const { rights } = useWorkspace()
  const [search] = useSearchParams()
  const state = readState(search.toString())
  const field = useRef<HTMLTextAreaElement>(null)
  const read = usePages(inbox, requestOf(state))
  return (
    <>
      <PageHead title="Inbox">
        <Filters state={state} openCount={read.data?.pages[0]?.openCount} />
      </PageHead>
      {rights.mayCall('createInboxItem') && <CaptureForm field={field} />}
      <Shown of={read} rows={3}>
        {({ pages }) => (
          <>
            <ItemList
              items={pages.flatMap(({ inboxItems }) => inboxItems)}
              state={state}
              onCapture={() => field.current?.focus()}
            />
            {read.hasNextPage && (
              <Button disabled={read.isFetchingNextPage} onClick={() => void read.fetchNextPage()}>
                More
              </Button>
            )}
          </>
        )}
      </Shown>
    </>
  )
}

function Filters({ state, openCount }: { state: State; openCount: number | undefined }) {
  const [, setSearch] = useSearchParams()
  return (
    <div className={styles['filters']} role="group" aria-label="Which">
      {states.map((one) => (
        <Button
          key={one}
          look="bare"
          aria-pressed={one === state}
          onClick={() => setSearch(searchOf(one))}
        >
          {labels[one]}
          {one === 'open' && openCount !== undefined && (
            <>
              {' '}
              <span className={styles['count']}>{saidOpen(openCount)}</span>
            </>
          )}
        </Button>
      ))}
    </div>
  )
}
