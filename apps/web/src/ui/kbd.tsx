import styles from './kbd.module.css'

/** The key that does the same as the button it stands in; whoever hears the page is told by `aria-keyshortcuts`. */
export function Kbd({ children }: { children: string }) {
  return (
    <kbd className={styles.kbd} aria-hidden="true">
      {children}
    </kbd>
  )
}
