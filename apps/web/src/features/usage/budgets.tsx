import type { Mission } from '@svc/contracts/mission'
import { useState } from 'react'
import { closedTypes, statusTypes } from '../../data/contracts.values.ts'
import { usePages } from '../../data/reads.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { IdLink } from '../../shell/link.tsx'
import { Shown } from '../../shell/shown.tsx'
import { Button } from '../../ui/button.tsx'
import { Rows } from '../../ui/list.tsx'
import { Text } from '../../ui/text.tsx'
import { sharesOfBudget, unknownOf } from '../../words/mission.ts'
import { RaiseBudget } from './raise-budget.tsx'
import { missions } from './reads.ts'
import styles from './usage.module.css'

const atOnce = 20
/** Of a mission that is closed nothing is launched in any case. */
const open = statusTypes.filter((type) => !closedTypes.includes(type)).join(',')

/** Missions with a budget: those that it holds back, and all of them. */
export function Budgets({ project }: { project: string }) {
  const [raised, raise] = useState<Mission>()
  const asked = { limit: atOnce, statusTypes: open, ...(project !== '' && { projectId: project }) }
  const spent = usePages(missions, { ...asked, budget: 'spent' })
  const set = usePages(missions, { ...asked, budget: 'set' })
  return (
    <>
      <BudgetList
        title="Held back by their budget"
        none="No mission has used up its budget."
        of={spent}
        onRaise={raise}
      />
      <BudgetList
        title="With a budget"
        none="No mission that is not closed has a budget. It is set on the page of a mission, under Budget and settings."
        of={set}
        onRaise={raise}
      />
      {raised && <RaiseBudget key={raised.id} listed={raised} onClose={() => raise(undefined)} />}
    </>
  )
}

interface BudgetListProps {
  title: string
  none: string
  of: ReturnType<typeof usePages<'listMissions'>>
  onRaise: (mission: Mission) => void
}

function BudgetList({ title, none, of, onRaise }: BudgetListProps) {
  return (
    <section className={styles['part']} aria-label={title}>
      <h2>{title}</h2>
      <Shown of={of} rows={2}>
        {({ pages }) => {
          const all = pages.flatMap((page) => page.missions)
          if (all.length === 0) return <p className={styles['quiet']}>{none}</p>
          return (
            <Rows label={title} items={all} keyOf={({ id }) => id}>
              {(mission) => <BudgetRow mission={mission} onRaise={onRaise} />}
            </Rows>
          )
        }}
      </Shown>
      {of.hasNextPage && (
        <Button disabled={of.isFetchingNextPage} onClick={() => void of.fetchNextPage()}>
          More
        </Button>
      )}
    </section>
  )
}

function BudgetRow({
  mission,
  onRaise,
}: {
  mission: Mission
  onRaise: (mission: Mission) => void
}) {
  const { rights } = useWorkspace()
  const { id, displayId, title } = mission
  const bounded = sharesOfBudget(mission).filter(({ part }) => part !== undefined)
  const isSpent = bounded.some(({ part }) => part === 1)
  const change = isSpent ? 'Raise …' : 'Change …'
  const unknown = unknownOf(mission.usage)
  return (
    <div className={styles['row']} data-mission={id}>
      <div className={styles['line']}>
        <IdLink id={displayId} />
        <Text>{title}</Text>
        {rights.mayCall('updateMission') && (
          <Button aria-label={`${change} budget of ${displayId}`} onClick={() => onRaise(mission)}>
            {change}
          </Button>
        )}
      </div>
      <ul className={styles['shares']} aria-label={`Used of the budget of ${displayId}`}>
        {bounded.map(({ text, part = 0 }) => (
          <li key={text} className={part >= 1 ? styles['spent'] : undefined}>
            {text}
            <meter value={part} min={0} max={1} aria-label={text} />
          </li>
        ))}
        {unknown !== undefined && <li className={styles['quiet']}>{unknown}</li>}
      </ul>
      {isSpent && <p className={styles['spent']}>Nothing more of it is launched.</p>}
    </div>
  )
}
