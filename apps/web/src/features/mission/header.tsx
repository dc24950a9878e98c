import type { Mission } from '@svc/contracts/mission'
import { useAction } from '../../data/actions.ts'
import { priorities } from '../../data/contracts.values.ts'
import { useWorkspace } from '../../data/use-workspace.ts'
import { ActionProblem } from '../../shell/action-problem.tsx'
import { ButtonLink, Link } from '../../shell/link.tsx'
import { pathTo } from '../../shell/routes.ts'
import { Check } from '../../ui/check.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Text } from '../../ui/text.tsx'
import { toClipboard } from '../../ui/to-clipboard.ts'
import { priorityWords, sharesOfBudget, unknownOf } from '../../words/mission.ts'
import styles from './mission.module.css'
import { useScene, withMission } from './scene.ts'
import { StatusMenu } from './status-menu.tsx'
import { Title } from './title.tsx'
import { projectOf } from './wanted.ts'

/** What the mission is, where it stands, and what of it people set. */
export function Header() {
  const { shown, keep, foresee, open } = useScene()
  const { rights } = useWorkspace()
  const { mission } = shown
  const update = useAction('updateMission', {
    onDone: (answer) => keep(withMission(answer.mission)),
  })
  const mayUpdate = rights.mayCall('updateMission')
  const set = (
    changes: Partial<Pick<Mission, 'priority' | 'auto_advance' | 'allowParallelObjectives'>>,
  ) =>
    foresee(withMission({ ...mission, ...changes }), () =>
      update.send({ id: mission.id, ...changes }),
    )
  const project = projectOf(mission.displayId)
  return (
    <header className={styles['header']}>
      <p className={styles['path']}>
        <Link to={pathTo('board', { project })}>
          <Text>{project}</Text>
        </Link>
        <span aria-hidden="true">/</span>
        <span>{mission.displayId}</span>
      </p>
      <div className={styles['top']}>
        <Title mission={mission} mayUpdate={mayUpdate} />
        <span className={styles['topActions']}>
          {shown.deliveries.length > 0 && (
            <ButtonLink to={pathTo('review', { mission: mission.displayId })}>Review</ButtonLink>
          )}
          <Menu
            label="More of this mission"
            trigger={<Icon name="more" />}
            items={[
              ...(mayUpdate
                ? [
                    {
                      key: 'settings',
                      text: 'Budget and settings …',
                      onChoose: () => open({ what: 'settings' }),
                    },
                  ]
                : []),
              {
                key: 'copy',
                text: 'Copy its address',
                onChoose: () => void toClipboard(location.href),
              },
              ...(rights.mayCall('deleteMissions')
                ? [
                    {
                      key: 'delete',
                      text: 'Delete …',
                      onChoose: () => open({ what: 'delete-mission' }),
                    },
                  ]
                : []),
            ]}
          />
        </span>
      </div>
      <div className={styles['facts']}>
        <StatusMenu />
        <Priority
          mission={mission}
          onChoose={mayUpdate ? (priority) => set({ priority }) : undefined}
        />
        <Check
          checked={mission.auto_advance}
          disabled={!mayUpdate}
          onChange={(isOn) => set({ auto_advance: isOn })}
          title="A delivery launches the next objective by itself."
        >
          auto-advance
        </Check>
        <Check
          checked={mission.allowParallelObjectives}
          disabled={!mayUpdate}
          onChange={(isOn) => set({ allowParallelObjectives: isOn })}
          title="Several of its objectives may run at the same time."
        >
          parallel
        </Check>
        <Usage mission={mission} />
      </div>
      <ActionProblem of={update} />
    </header>
  )
}

function Priority({
  mission: { priority },
  onChoose,
}: {
  mission: Mission
  onChoose: ((priority: Mission['priority']) => void) | undefined
}) {
  const said = (
    <span>
      <span aria-hidden="true">{priorityWords[priority].sign}</span> {priorityWords[priority].word}
    </span>
  )
  if (onChoose === undefined) return said
  return (
    <Menu
      label={`Priority ${priorityWords[priority].word}`}
      trigger={
        <>
          {said} <Icon name="chevron" />
        </>
      }
      items={priorities.map((key) => ({
        key,
        text: `${priorityWords[key].sign} ${priorityWords[key].word}`.trim(),
        word: priorityWords[key].word,
        isCurrent: key === priority,
        onChoose: () => onChoose(key),
      }))}
    />
  )
}

/** What its runs have used, and of how much. */
function Usage({ mission }: { mission: Mission }) {
  const shares = sharesOfBudget(mission)
  const unknown = unknownOf(mission.usage)
  if (shares.length === 0) return null
  return (
    <ul className={styles['usage']} aria-label="Used so far">
      {shares.map(({ text, part }) => (
        <li key={text} className={part !== undefined && part >= 1 ? styles['spent'] : undefined}>
          {text}
          {part !== undefined && <meter value={part} min={0} max={1} aria-label={text} />}
        </li>
      ))}
      {unknown !== undefined && <li>{unknown}</li>}
    </ul>
  )
}
