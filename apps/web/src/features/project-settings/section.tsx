import { type ReactNode, useEffect, useRef } from 'react'
import { useSearchParams } from 'wouter'
import styles from './settings.module.css'

interface SectionProps {
  id: string
  title: string
  actions?: ReactNode
  children: ReactNode
}

/** A part of the settings; the address may be about one of them. */
export function Section({ id, title, actions, children }: SectionProps) {
  const [search] = useSearchParams()
  const section = useRef<HTMLElement>(null)
  const isWanted = search.get('part') === id
  useEffect(() => {
    if (isWanted) section.current?.scrollIntoView({ block: 'start' })
  }, [isWanted])
  return (
    <section
      ref={section}
      className={styles['section']}
      aria-labelledby={`part-${id}`}
      data-part={id}
    >
      <div className={styles['head']}>
        <h2 id={`part-${id}`} tabIndex={-1}>
          {title}
        </h2>
        {actions}
      </div>
      {children}
    </section>
  )
}
