import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { limits, priorities, statusTypes } from '../../data/contracts.values.ts'
import { Button } from '../../ui/button.tsx'
import { Hidden } from '../../ui/hidden.tsx'
import { Select } from '../../ui/select.tsx'
import { priorityWords } from '../../words/mission.ts'
import { badgeWords, phaseWords } from '../../words/states.ts'
import styles from './board.module.css'
import { type Filters, badges, readFilters, searchOf } from './filters.ts'

const waitMs = 300

/** Which missions are shown. What is chosen stands in the address, so that it can be kept and sent. */
export function FilterBar({ filters }: { filters: Filters }) {
  const [, setSearch] = useSearchParams()
  const [text, setText] = useState(filters.text)
  const field = useRef<HTMLInputElement>(null)
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
    // an address that was gone to is shown as it says, unless somebody types just now
    if (document.activeElement !== field.current) setText(filters.text)
  }, [filters.text])
  const isAny = Object.values(filters).some((value) => value !== '')
  return (
    <search className={styles['filters']}>
      <label className={styles['words']}>
        <Hidden>Words of titles and objectives</Hidden>
        <input
          ref={field}
          type="search"
          data-action="filter"
          placeholder="Words of titles and objectives"
          value={text}
          maxLength={limits.searchCharacters}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <div className={styles['phase']}>
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
      </div>
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
      <Select
        label="What it is at"
        isSmall
        isLabelHidden
        value={filters.badge}
        choices={[
          { value: '', text: 'at anything' },
          ...badges.map((value) => ({ value, text: badgeWords[value].word })),
        ]}
        onChoose={(badge) => set({ badge: readFilters(`badge=${badge}`).badge })}
      />
      {isAny && (
        <Button
          onClick={() => {
            setText('')
            setSearch({}, { replace: true })
          }}
        >
          Show all
        </Button>
      )}
    </search>
  )
}
