import { type FormEvent, type KeyboardEvent, type RefObject, useEffect, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { limits, priorities, statusTypes } from '../../data/contracts.values.ts'
import { useRead } from '../../data/reads.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { namedPath } from '../../shell/named-path.ts'
import { useSettled } from '../../shell/settled.ts'
import { Button } from '../../ui/button.tsx'
import { Hidden } from '../../ui/hidden.tsx'
import { Select } from '../../ui/select.tsx'
import { priorityWords } from '../../words/mission.ts'
import { phaseWords } from '../../words/states.ts'
import { visible } from '../../words/visible.ts'
import { type Filters, readFilters, searchOf } from './filters.ts'
import { walkResults } from './keys.ts'
import { projects } from './reads.ts'
import styles from './search.module.css'

const waitMs = 300

interface SearchFormProps {
  filters: Filters
  field: RefObject<HTMLInputElement | null>
  rows: () => readonly HTMLElement[]
}

/** What is searched for. It stands in the address, so that it can be kept and sent. */
export function SearchForm({ filters, field, rows }: SearchFormProps) {
  const [, setSearch] = useSearchParams()
  const [, go] = useLocation()
  const [text, setText] = useState(filters.text)
  const set = (more: Partial<Filters>) =>
    setSearch((now) => searchOf({ ...readFilters(now.toString()), ...more }), { replace: true })
  useEffect(() => {
    const timer = setTimeout(() => {
      if (text.trim() !== filters.text) set({ text })
    }, waitMs)
    return () => clearTimeout(timer)
    // what is typed goes into the address
    // oxlint-disable-next-line react/exhaustive-deps
  }, [text])
  useEffect(() => {
    // an address that was come back to is shown as it says, unless somebody types just now
    if (document.activeElement !== field.current) setText(filters.text)
  }, [field, filters.text])
  useEffect(() => {
    // after going to this page, which moves the focus to its beginning; a finger opens the keyboard of a phone itself
    const isToBeTyped = filters.text === '' && matchMedia('(pointer: fine)').matches
    const frame = requestAnimationFrame(() => isToBeTyped && field.current?.focus())
    return () => cancelAnimationFrame(frame)
    // as it is when the page is opened
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const path = namedPath(text)
    if (path === undefined) set({ text })
    else go(path)
  }
  const walk = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown') return
    event.preventDefault()
    walkResults(rows(), 1, () => undefined)
  }
  return (
    <search>
      <form className={styles['form']} onSubmit={submit}>
        <label className={styles['words']}>
          <Hidden>Words of titles and objectives, or an id</Hidden>
          <input
            ref={field}
            type="search"
            placeholder="Words of titles and objectives, or an id"
            value={text}
            maxLength={limits.searchCharacters}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={walk}
          />
        </label>
        <ProjectChoice value={filters.project} onChoose={(project) => set({ project })} />
        <Select
          label="Phase"
          isSmall
          isLabelHidden
          value={filters.phase}
          choices={[
            { value: '', text: 'any phase' },
            ...statusTypes.map((value) => ({ value, text: phaseWords[value].word })),
          ]}
          onChoose={(phase) => set({ phase: readFilters(`phase=${phase}`).phase })}
        />
        <Select
          label="Priority"
          isSmall
          isLabelHidden
          value={filters.priority}
          choices={[
            { value: '', text: 'any priority' },
            ...priorities.map((value) => ({ value, text: priorityWords[value].word })),
          ]}
          onChoose={(priority) => set({ priority: readFilters(`priority=${priority}`).priority })}
        />
        {Object.keys(searchOf(filters)).length > 0 && (
          <Button
            onClick={() => {
              setText('')
              setSearch({}, { replace: true })
            }}
          >
            Show all
          </Button>
        )}
      </form>
    </search>
  )
}

/** What the address asks for is chosen, also where the list does not have it. */
function ProjectChoice({ value, onChoose }: { value: string; onChoose: (slug: string) => void }) {
  const { rights } = useWorkspace()
  // who is about to choose one has seen what was found
  const isWanted = useSettled() && rights.mayCall('listProjects')
  const known = useRead(projects, {}, { enabled: isWanted }).data?.projects ?? []
  const isKnown = value === '' || known.some(({ slug }) => slug === value)
  return (
    <Select
      label="Project"
      isSmall
      isLabelHidden
      value={value}
      choices={[
        { value: '', text: 'any project' },
        ...(isKnown ? [] : [{ value, text: visible(value) }]),
        ...known.map(({ slug, name }) => ({ value: slug, text: visible(name) })),
      ]}
      onChoose={onChoose}
    />
  )
}
