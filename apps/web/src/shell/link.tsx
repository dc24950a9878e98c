import type { ComponentProps, ReactNode } from 'react'
import { Link as Inner, useLocation } from 'wouter'
import styles from '../ui/button.module.css'
import { Text } from '../ui/text.tsx'
import { pathTo } from './routes.ts'

/** To a page of the workspace, by its path below `/w/<workspace>`. */
export function Link({
  to,
  children,
  ...props
}: { to: string; children: ReactNode; replace?: boolean } & ComponentProps<'a'>) {
  const [here] = useLocation()
  return (
    <Inner {...props} href={to} aria-current={here === to ? 'page' : props['aria-current']}>
      {children}
    </Inner>
  )
}

/** A link that looks as a button, because it is what one does here. */
export function ButtonLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Inner href={to} className={`${styles['button']} ${styles['second']}`}>
      {children}
    </Inner>
  )
}

/** The id of a mission or objective as people say it, leading there. */
export function IdLink({ id, onClick }: { id: string; onClick?: () => void }) {
  const path = id.includes('.')
    ? pathTo('objective', { objective: id })
    : pathTo('mission', { mission: id })
  return (
    <Link to={path} onClick={onClick}>
      <Text>{id}</Text>
    </Link>
  )
}
