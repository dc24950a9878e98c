import type { ListedObjective } from '@svc/contracts/objective'
import { useState } from 'react'
import { useRead } from '../../data/reads.ts'
import { Shown } from '../../shell/shown.tsx'
import { Markdown } from '../../ui/markdown.tsx'
import { Text } from '../../ui/text.tsx'
import { objectiveRead } from './reads.ts'
import styles from './review.module.css'

/** The instruction: its beginning, and all of it when it is opened. */
export function Asked({ objective }: { objective: ListedObjective }) {
  const { id, instruction, instructionBytes } = objective
  const isCut = instructionBytes !== undefined
  const [isOpen, setOpen] = useState(false)
  const whole = useRead(objectiveRead, { id }, { enabled: isOpen && isCut })
  if (instruction === '') return <p className={styles['quiet']}>It was given no instruction.</p>
  const line = instruction.replace(/\s+/g, ' ').trim()
  return (
    <details className={styles['fold']} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span className={styles['asked']}>
          {isOpen ? 'The whole instruction' : <Text>{line}</Text>}
        </span>
      </summary>
      {isCut ? (
        isOpen && (
          <Shown of={whole}>
            {({ objective: read }) => <Markdown>{read.instruction}</Markdown>}
          </Shown>
        )
      ) : (
        <Markdown>{instruction}</Markdown>
      )}
    </details>
  )
}
