import type { ListedObjective } from '@svc/contracts/objective'
import { Icon } from '../../ui/icon.tsx'
import { Text } from '../../ui/text.tsx'
import { Ago } from '../../ui/time.tsx'
import styles from './review.module.css'
import type { Delivery } from './story.ts'

interface StoryHeadProps {
  delivery: Delivery
  objective: ListedObjective | undefined
  isOpen: boolean
  /** There is no other to open. */
  isAlone: boolean
  onOpen: () => void
}

/** Whose delivery it is, and when it came; of several one is open. */
export function StoryHead({ delivery, objective, isOpen, isAlone, onOpen }: StoryHeadProps) {
  const words = (
    <>
      <span className={styles['storyTitle']}>
        <Text>{objective?.title ?? 'A deleted objective'}</Text>
      </span>
      <span className={styles['quiet']}>
        {objective && <Text>{objective.displayId}</Text>} delivered <Ago at={delivery.createdAt} />
      </span>
    </>
  )
  if (isAlone) return <h2 className={styles['storyHead']}>{words}</h2>
  return (
    <h2>
      <button
        type="button"
        className={styles['storyHead']}
        aria-expanded={isOpen}
        onClick={() => {
          if (!isOpen) onOpen()
        }}
      >
        <Icon name="chevron" />
        {words}
      </button>
    </h2>
  )
}
