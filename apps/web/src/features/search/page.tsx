import { useRef } from 'react'
import { useSearchParams } from 'wouter'
import { usePages } from '../../data/reads.ts'
import { PageHead } from '../../shell/pages.tsx'
import { Shown } from '../../shell/shown.tsx'
import { useKeys } from '../../shell/use-keys.ts'
import { Button } from '../../ui/button.tsx'
import { readFilters, requestOf } from './filters.ts'
import { searchKeys } from './keys.ts'
import { Over, withOver } from './over.tsx'
import { found } from './reads.ts'
import { Results } from './results.tsx'
import { SearchForm } from './search-form.tsx'

/** Missions of all projects, by their words and what else there is to know of them. */
export function Page() {
  const [search, setSearch] = useSearchParams()
  const filters = readFilters(search.toString())
  const request = requestOf(filters)
  const read = usePages(found, request)
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const rows = () => [...(list.current?.querySelectorAll<HTMLElement>('[data-found]') ?? [])]
  const toField = () => {
    field.current?.focus()
    field.current?.select()
  }
  useKeys(searchKeys({ rows, toField }))
  return (
    <>
      <PageHead title="Search">
        <Button look="bare" onClick={() => setSearch(withOver({ deleted: '1' }))}>
          Deleted missions …
        </Button>
      </PageHead>
      <SearchForm filters={filters} field={field} rows={rows} />
      <Shown of={read} rows={6}>
        {({ pages }) => (
          <>
            <Results list={list} pages={pages} query={request.query} hasMore={read.hasNextPage} />
            {read.hasNextPage && (
              <Button disabled={read.isFetchingNextPage} onClick={() => void read.fetchNextPage()}>
                More
              </Button>
            )}
          </>
        )}
      </Shown>
      <Over />
    </>
  )
}
