import type { Mission } from '@svc/contracts/mission'
import type { ListedObjective } from '@svc/contracts/objective'
import type { ReactNode } from 'react'
import { Artifacts } from './artifacts.tsx'
import { Asked } from './asked.tsx'
import { Checks } from './checks.tsx'
import { Files } from './files.tsx'
import styles from './review.module.css'
import { Said } from './said.tsx'
import type { Delivery } from './story.ts'
import type { Notes } from './use-notes.ts'
import type { Place } from './use-place.ts'

interface StoryProps {
  mission: Mission
  delivery: Delivery
  objective: ListedObjective | undefined
  place: Place
  notes: Notes
  /** In which order the files stand. */
  onOrder: (paths: readonly string[]) => void
}

/** One delivery: what was asked, what the agent says, what its checks say, and what has changed. */
export function Story({ mission, delivery, objective, place, notes, onOrder }: StoryProps) {
  return (
    <>
      {objective && (
        <Part title="Asked">
          <Asked objective={objective} />
        </Part>
      )}
      <Part title="Said">
        <Said delivery={delivery} />
      </Part>
      <Part title="Checks">
        <Checks checks={delivery.checks} />
      </Part>
      {delivery.artifacts.length > 0 && (
        <Part title="Artifacts">
          <Artifacts artifacts={delivery.artifacts} />
        </Part>
      )}
      <Files mission={mission} delivery={delivery} place={place} notes={notes} onOrder={onOrder} />
    </>
  )
}

/** A part of the story, its name at the side where there is room. */
export function Part({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <section className={styles['part']}>
      <h3 className={styles['partTitle']}>{title}</h3>
      <div className={styles['partBody']}>{children}</div>
    </section>
  )
}
