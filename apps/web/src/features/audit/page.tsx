import type { AuditEntry } from '@svc/contracts/audit'
import { useCallback, useRef } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useRead } from '../../data/reads.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { ButtonLink } from '../../shell/link.tsx'
import { PageHead } from '../../shell/pages.tsx'
import { pathTo } from '../../shell/routes.ts'
import { Shown } from '../../shell/shown.tsx'
import { useKeys } from '../../shell/use-keys.ts'
import { Button } from '../../ui/button.tsx'
import styles from './audit.module.css'
import { Entry } from './entry.tsx'
import { FilterBar } from './filter-bar.tsx'
import { type Filters, readFilters, requestOf, searchOf } from './filters.ts'
import { auditKeys } from './keys.ts'
import { audit, projects } from './reads.ts'
import { useStill } from './use-still.ts'

/** Who did what, newest first. A page has its address, so that the document never holds more than one. */
export function Page() {
  const { rights } = useWorkspace()
  const [, go] = useLocation()
  const filters = readFilters(useSearch())
  const request = requestOf(filters)
  const read = useRead(audit, request)
  const rows = useRef<HTMLUListElement>(null)
  const pathOf = (cursor: string) => pathTo('audit', {}, searchOf({ ...filters, cursor }))
  const older = read.data?.nextCursor
  const isNewest = filters.cursor === ''
  useKeys(
    auditKeys({
      rows: () => [...(rows.current?.querySelectorAll<HTMLElement>('summary') ?? [])],
      older: older === undefined ? undefined : () => go(pathOf(older)),
      newest: isNewest ? undefined : () => go(pathOf('')),
    }),
  )
  return (
    <>
      <PageHead title="Audit" />
      {rights.mayCall('listAudit') && <FilterBar filters={filters} />}
      <Shown of={read} rows={8}>
        {({ entries }) => (
          <>
            <Entries key={JSON.stringify(request)} newest={entries} filters={filters} list={rows} />
            {entries.length === 0 && <p>{emptyWords(older !== undefined, isNewest)}</p>}
            <div className={styles['pages']}>
              {!isNewest && <ButtonLink to={pathOf('')}>The newest</ButtonLink>}
              {older !== undefined && (
                <ButtonLink to={pathOf(older)}>
                  {entries.length === 0 ? 'Look further back' : 'Older'}
                </ButtonLink>
              )}
            </div>
          </>
        )}
      </Shown>
    </>
  )
}

function emptyWords(hasOlder: boolean, isNewest: boolean): string {
  if (hasOlder) return 'Nothing like that among the entries that were looked through so far.'
  return isNewest ? 'No entry is like that.' : 'No older entry is like that.'
}

interface EntriesProps {
  newest: readonly AuditEntry[]
  filters: Filters
  list: React.RefObject<HTMLUListElement | null>
}

function Entries({ newest, filters, list }: EntriesProps) {
  const { entries, waiting, showNewest } = useStill(newest, list)
  const known = useRead(projects, {}).data?.projects
  const slugOf = useCallback(
    (projectId: string) => known?.find(({ id }) => id === projectId)?.slug,
    [known],
  )
  return (
    <>
      {waiting > 0 && (
        <div className={styles['new']}>
          <Button look="first" onClick={showNewest}>
            ↑ {waiting} new
          </Button>
        </div>
      )}
      <ul ref={list} className={styles['rows']} aria-label="Audit trail">
        {entries.map((entry) => (
          <li key={entry.id} data-entry={entry.id} className={styles['row']}>
            <Entry entry={entry} filters={filters} slugOf={slugOf} />
          </li>
        ))}
      </ul>
    </>
  )
}
