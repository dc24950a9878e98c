import { useState } from 'react'
import { announce } from './announce.ts'
import { Button } from './button.tsx'
import styles from './copy.module.css'
import { Icon } from './icon.tsx'

/** A command for a terminal, with a button that copies it. */
export function CopyCommand({ command }: { command: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(command)
      setCopied(true)
      announce('Copied')
    } catch {
      announce('This browser does not let a page copy. Select the command, and copy it.')
    }
  }
  return (
    <div className={styles['copy']}>
      <code>{command}</code>
      <Button onClick={() => void copy()} aria-label={`Copy ${command}`}>
        <Icon name={isCopied ? 'check' : 'copy'} />
        {isCopied ? 'Copied' : 'Copy'}
      </Button>
    </div>
  )
}
