import type { ComponentProps } from 'react'
import styles from './button.module.css'

export interface ButtonProps extends ComponentProps<'button'> {
  /** `first`: what one most likely wants here; one of these at most in each part of a page. */
  look?: 'first' | 'second' | 'danger' | 'bare'
}

export function Button({ look = 'second', className, ...props }: ButtonProps) {
  return (
    <button
      type="button"
      {...props}
      className={[styles['button'], styles[look], className].filter(Boolean).join(' ')}
    />
  )
}
