import { useSearchParams } from 'wouter'
import { useRead } from '../../data/reads.ts'
import { Select } from '../../ui/select.tsx'
import { visible } from '../../words/visible.ts'
import { type Filters, readFilters, searchOf, weekChoices } from './filters.ts'
import { projects } from './reads.ts'
import styles from './usage.module.css'

/** Of which project and how far back. What is chosen stands in the address, so that it can be kept and sent. */
export function FilterBar({ filters }: { filters: Filters }) {
  const set = useFilters()
  const known = useRead(projects, {}).data?.projects ?? []
  const { project, weeks } = filters
  const isKnown = project === '' || known.some(({ slug }) => slug === project)
  return (
    <search className={styles['filters']}>
      <Select
        label="Project"
        isSmall
        value={project}
        choices={[
          { value: '', text: 'all projects' },
          ...(isKnown ? [] : [{ value: project, text: visible(project) }]),
          ...known.map(({ slug, name }) => ({ value: slug, text: visible(name) })),
        ]}
        onChoose={(slug) => set({ project: slug })}
      />
      <Select
        label="Weeks back"
        isSmall
        value={String(weeks)}
        choices={weekChoices.map((count) => ({ value: String(count), text: `${count} weeks` }))}
        onChoose={(count) => set({ weeks: readFilters(`weeks=${count}`).weeks })}
      />
    </search>
  )
}

/** Changes what the address asks for. */
export function useFilters(): (more: Partial<Filters>) => void {
  const [, setSearch] = useSearchParams()
  return (more) =>
    setSearch((now) => searchOf({ ...readFilters(now.toString()), ...more }), { replace: true })
}
