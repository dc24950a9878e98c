import type { ReactNode } from 'react'
import styles from './outside.module.css'

const allowed = ['https:', 'http:', 'mailto:']

/** A link that somebody else has written. Its host stands next to it, whatever its text says. */
export function Outside({ href, children }: { href: string; children: ReactNode }) {
  const url = URL.parse(href)
  if (url === null || !allowed.includes(url.protocol)) return <span>{children}</span>
  return (
    <>
      <a href={url.href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
      {url.host !== '' && <span className={styles['host']}> ({url.host})</span>}
    </>
  )
}
