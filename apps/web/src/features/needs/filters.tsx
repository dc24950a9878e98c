import type { NeedCounts } from '@svc/contracts/need'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { useRead } from '../../data/reads.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Text } from '../../ui/text.tsx'
import { totalOf } from '../../words/needs.ts'
import { type Asked, searchOf } from './asked.ts'
import styles from './needs.module.css'
import { projects } from './reads.ts'

const whoses = [
  { whose: 'mine', label: 'Mine' },
  { whose: 'all', label: 'All' },
] as const

/** Whose needs are shown, and of which project; the address holds both. */
export function Filters({ asked, counts }: { asked: Asked; counts: NeedCounts | undefined }) {
  const [, setSearch] = useSearchParams()
  const show = (more: Partial<Asked>) => setSearch(searchOf({ ...asked, ...more }))
  return (
    <div className={styles['filters']}>
      <div className={styles['whose']} role="group" aria-label="Whose">
        {whoses.map(({ whose, label }) => (
          <Button
            key={whose}
            look="bare"
            aria-pressed={asked.whose === whose}
            onClick={() => show({ whose })}
          >
            {label}{' '}
            {counts && <span className={styles['count']}>{totalOf(counts, whose).text}</span>}
          </Button>
        ))}
      </div>
      <ProjectMenu chosen={asked.project} onChoose={(project) => show({ project })} />
    </div>
  )
}

interface ProjectMenuProps {
  /** Its slug. */
  chosen: string | undefined
  onChoose: (project: string | undefined) => void
}

/** The projects are read when somebody is about to open it. */
function ProjectMenu({ chosen, onChoose }: ProjectMenuProps) {
  const [isWanted, want] = useState(false)
  const read = useRead(projects, {}, { enabled: isWanted })
  const known = read.data?.projects ?? []
  return (
    <span onPointerEnter={() => want(true)} onFocus={() => want(true)}>
      <Menu
        label={chosen === undefined ? 'Project: all' : `Project: ${chosen}`}
        trigger={
          <>
            <Text>{chosen ?? 'All projects'}</Text>
            <Icon name="chevron" />
          </>
        }
        items={[
          {
            key: '',
            text: 'All projects',
            isCurrent: chosen === undefined,
            onChoose: () => onChoose(undefined),
          },
          ...known.map(({ id, slug, name }) => ({
            key: id,
            text: <Text>{name}</Text>,
            word: name,
            isCurrent: chosen === slug,
            onChoose: () => onChoose(slug),
          })),
        ]}
      />
    </span>
  )
}
