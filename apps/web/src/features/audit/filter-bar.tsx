import { useSearchParams } from 'wouter'
import { useRead } from '../../data/reads.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/select.tsx'
import { auditWords } from '../../words/audit.ts'
import { visible } from '../../words/visible.ts'
import styles from './audit.module.css'
import { DayField } from './day-field.tsx'
import { type Filters, auditActions, readFilters, searchOf } from './filters.ts'
import { members } from './reads.ts'

const mostMembers = 200

/** Which entries are shown. What is chosen stands in the address, so that it can be kept and sent. */
export function FilterBar({ filters }: { filters: Filters }) {
  const { rights } = useWorkspace()
  const [, setSearch] = useSearchParams()
  const enabled = rights.mayCall('listMembers')
  const people = useRead(members, { limit: mostMembers }, { enabled }).data?.members ?? []
  // another question begins with its newest answers
  const set = (more: Partial<Filters>) =>
    setSearch((now) => searchOf({ ...readFilters(now.toString()), ...more, cursor: '' }), {
      replace: true,
    })
  const { who, what, of, since, until } = filters
  const isKnown = who === '' || people.some(({ id }) => id === who)
  return (
    <search className={styles['filters']}>
      <Select
        label="Who"
        isSmall
        value={who}
        choices={[
          { value: '', text: 'anybody' },
          ...(isKnown ? [] : [{ value: who, text: 'one person' }]),
          ...people.map(({ id, name }) => ({ value: id, text: visible(name) })),
        ]}
        onChoose={(id) => set({ who: id })}
      />
      <Select
        label="What"
        isSmall
        value={what}
        choices={[
          { value: '', text: 'anything' },
          ...auditActions.map((value) => ({ value, text: auditWords[value] })),
        ]}
        onChoose={(action) => set({ what: readFilters(`what=${action}`).what })}
      />
      <DayField label="Since" value={since} onDay={(day) => set({ since: day })} />
      <DayField label="Until" value={until} onDay={(day) => set({ until: day })} />
      {of !== '' && <span className={styles['chosen']}>of one thing alone</span>}
      {Object.keys(searchOf({ ...filters, cursor: '' })).length > 0 && (
        <Button onClick={() => setSearch({}, { replace: true })}>Show all</Button>
      )}
    </search>
  )
}
