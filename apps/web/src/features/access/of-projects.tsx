import { useState } from 'react'
import { useRead } from '../../data/reads.ts'
import { Check } from '../../ui/check.tsx'
import { Text } from '../../ui/text.tsx'
import styles from './access.module.css'
import { projects } from './reads.ts'

interface OfProjectsProps {
  /** null: all of them, also those to come. */
  value: readonly string[] | null
  onChange: (projectIds: readonly string[] | null) => void
}

/** A token may be bound to some projects: it sees nothing of others. */
export function OfProjects({ value, onChange }: OfProjectsProps) {
  const known = useRead(projects, {}).data?.projects ?? []
  const [isOpenAtFirst] = useState(value !== null)
  if (known.length === 0) return null
  const choose = (id: string, isWanted: boolean) => {
    const others = (value ?? []).filter((one) => one !== id)
    const next = isWanted ? [...others, id] : others
    onChange(next.length === 0 ? null : next)
  }
  return (
    <details open={isOpenAtFirst || undefined}>
      <summary>
        {value === null ? 'For all projects' : `For ${value.length} of ${known.length} projects`}
      </summary>
      <div className={styles['projects']} role="group" aria-label="Only for these projects">
        {known.map(({ id, name }) => (
          <Check
            key={id}
            checked={value?.includes(id) ?? false}
            onChange={(isWanted) => choose(id, isWanted)}
          >
            <Text>{name}</Text>
          </Check>
        ))}
      </div>
    </details>
  )
}
