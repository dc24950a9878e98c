import { useSearchParams } from 'wouter'
import { runStates } from '../../data/contracts.values.ts'
import { useRead } from '../../data/reads.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { IdLink } from '../../shell/link.tsx'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/select.tsx'
import { nameOfRunner } from '../../words/runners.ts'
import { wordOfState } from '../../words/runs.ts'
import { visible } from '../../words/visible.ts'
import { type Filters, live, readFilters, searchOf } from './filters.ts'
import { projects, runners } from './reads.ts'
import styles from './runs.module.css'

/** Which runs are shown. What is chosen stands in the address, so that it can be kept and sent. */
export function FilterBar({ filters }: { filters: Filters }) {
  const { rights } = useWorkspace()
  const [, setSearch] = useSearchParams()
  const mayList = rights.mayCall('listRunners')
  const known = useRead(projects, {}, { enabled: mayList }).data?.projects ?? []
  const machines = useRead(runners, {}, { enabled: mayList }).data?.runners ?? []
  const set = (more: Partial<Filters>) =>
    setSearch((now) => searchOf({ ...readFilters(now.toString()), ...more }), { replace: true })
  const of = filters.objective || filters.mission
  return (
    <search className={styles['filters']}>
      {of !== '' && (
        <span>
          {/* what is named by its UUID is not named for people */}
          of {of.includes(':') ? <IdLink id={of} /> : 'one piece of work'}
        </span>
      )}
      <Choose
        label="Project"
        value={filters.project}
        any="any project"
        choices={known.map(({ slug, name }) => ({ value: slug, text: name }))}
        onChoose={(project) => set({ project })}
      />
      <Choose
        label="Runner"
        value={filters.runner}
        any="any runner"
        choices={machines.map((one) => ({ value: one.id, text: nameOfRunner(one, machines) }))}
        onChoose={(runner) => set({ runner })}
      />
      <Choose
        label="State"
        value={filters.states}
        any="any state"
        choices={[
          { value: live, text: 'queued or under way' },
          ...runStates.map((value) => ({ value, text: wordOfState(value) })),
        ]}
        onChoose={(states) => set({ states })}
      />
      {Object.keys(searchOf(filters)).length > 0 && (
        <Button onClick={() => setSearch({}, { replace: true })}>Show all</Button>
      )}
    </search>
  )
}

interface ChooseProps {
  label: string
  value: string
  any: string
  choices: readonly { value: string; text: string }[]
  onChoose: (value: string) => void
}

/** What the address asks for is chosen, also where the list does not have it: several states, or a project that is gone. */
function Choose({ label, value, any, choices, onChoose }: ChooseProps) {
  const isKnown = value === '' || choices.some((one) => one.value === value)
  return (
    <Select
      label={label}
      isSmall
      isLabelHidden
      value={value}
      choices={[
        { value: '', text: any },
        ...(isKnown ? [] : [{ value, text: visible(value.replaceAll(',', ', ')) }]),
        ...choices.map((one) => ({ ...one, text: visible(one.text) })),
      ]}
      onChoose={onChoose}
    />
  )
}
