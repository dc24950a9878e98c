import { useState } from 'react'
import { announce } from './announce.ts'
import { Button } from './button.tsx'
import styles from './copy.module.css'
import { Icon } from './icon.tsx'
import { Text } from './text.tsx'

function useCopy(text: string) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
      announce('Copied')
    } catch {
      announce('This browser does not let a page copy. Select the text, and copy it.')
    }
  }
  return { isCopied, copy }
}

/** A text that somebody wants to keep, with a button that copies it. */
export function CopyText({ text, what }: { text: string; what: string }) {
  const { isCopied, copy } = useCopy(text)
  return (
    <div className={styles['copy']}>
      <p className={styles['text']}>
        <Text>{text}</Text>
      </p>
      <Button onClick={() => void copy()} aria-label={`Copy ${what}`}>
        <Icon name={isCopied ? 'check' : 'copy'} />
        {isCopied ? 'Copied' : 'Copy'}
      </Button>
    </div>
  )
}

/** A command for a terminal, with a button that copies it. */
export function CopyCommand({ command }: { command: string }) {
  const { isCopied, copy } = useCopy(command)
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
