import type { ReactNode } from 'react'
import styles from './notice.module.css'

export interface NoticeProps {
  tone: 'refusal' | 'caution' | 'good'
  children: ReactNode
  actions?: ReactNode
}

export function Notice({ tone, children, actions }: NoticeProps) {
  return (
    <div
      className={`${styles['notice']} ${styles[tone]}`}
      role={tone === 'refusal' ? 'alert' : 'status'}
    >
      {children}
      {actions !== undefined && <div className={styles['actions']}>{actions}</div>}
    </div>
  )
}
